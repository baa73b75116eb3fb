//! Counts of labels for every combination of their parents' labels: the Dirichlet-multinomial model (Cooper and Herskovits 1992).

use super::{Expert, ExpertCode, FamilyTask, SequentialExpert};
use crate::estimator::counts::{Configurations, CountedFamily, all_losses};

/// Counts, for categorical variables with categorical parents.
#[derive(Debug)]
pub(in crate::estimator) struct CountsExpert;

impl Expert for CountsExpert {
    fn code(&self, task: &FamilyTask, children: &[usize]) -> Vec<Option<ExpertCode>> {
        let (table, parents) = (task.table, task.group.parents);
        if !task.has_parents() || !parents.iter().all(|node| table.is_label(node)) {
            return vec![None; children.len()];
        }
        let configurations = Configurations::new(&table.data, parents.iter());
        let code = |&child: &usize| {
            let column = table.data.column(child);
            let counted = || all_losses(&mut CountedFamily::new(&table.tables, &configurations, column));
            table.is_label(child).then(|| ExpertCode::of_losses(counted()))
        };
        children.iter().map(code).collect()
    }

    fn sequential(&self) -> Option<SequentialExpert> {
        Some(SequentialExpert::Counts)
    }
}
