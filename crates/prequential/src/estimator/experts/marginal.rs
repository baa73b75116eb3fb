//! The marginal distribution of a child: what networks must beat where there are no regressions.

use super::{Expert, ExpertCode, FamilyTask, SequentialExpert};

/// The marginal of a child.
#[derive(Debug)]
pub(in crate::estimator) struct MarginalExpert;

impl Expert for MarginalExpert {
    fn code(&self, task: &FamilyTask, children: &[usize]) -> Vec<Option<ExpertCode>> {
        let code =
            |&child: &usize| Some(ExpertCode::of_losses(task.table.columns[child].marginal_losses.clone()));
        children.iter().map(code).collect()
    }

    fn sequential(&self) -> Option<SequentialExpert> {
        None
    }
}
