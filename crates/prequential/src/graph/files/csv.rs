//! Graphs as CSV: a list of edges, or an adjacency matrix with names.

use ::csv::{ReaderBuilder, StringRecord, Writer};

use super::draft::{Draft, format_error};
use crate::base::error::{Error, Result};
use crate::base::format::quoted;
use crate::graph::NamedDag;

const HINT: &str = "begin with a line `from,to`, or with the names of an adjacency matrix after an empty cell; \
                    other graph files end in .json, .dot or .graphml";

pub(super) fn parse(text: &str, source: &str) -> Result<NamedDag> {
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let rows = reader.records().map(|row| row.map_err(|error| explain(&error, source)));
    let mut rows = rows.map(|row| row.map(|cells| Row { line: line_of(&cells, text), cells }));
    let header = rows.next().transpose()?.map(|row| row.cells).unwrap_or_default();
    let draft = Draft::new(source);
    // First the list: a matrix of just two nodes called `from` and `to` is rarer than a list with row numbers before it.
    if let Some(columns) = EdgeColumns::find(&header) {
        parse_list(rows, &columns, draft)
    } else if starts_matrix(&header) {
        parse_matrix(rows, &header, draft)
    } else {
        Err(format_error(
            source,
            Some(1),
            "neither the columns `from` and `to` nor a matrix with names",
            HINT,
        ))
    }
}

struct Row {
    line: Option<u64>,
    cells: StringRecord,
}

/// Where a row of the list has the ends of its edge.
struct EdgeColumns {
    from: usize,
    to: usize,
}

impl EdgeColumns {
    fn find(header: &StringRecord) -> Option<EdgeColumns> {
        let position = |name: &str| header.iter().position(|cell| cell.trim().eq_ignore_ascii_case(name));
        let both = |from, to| Some(EdgeColumns { from: position(from)?, to: position(to)? });
        both("from", "to").or_else(|| both("source", "target"))
    }
}

fn parse_list(
    rows: impl Iterator<Item = Result<Row>>,
    columns: &EdgeColumns,
    mut draft: Draft<'_>,
) -> Result<NamedDag> {
    for row in rows {
        let Row { line, cells } = row?;
        let cell = |column: usize| cells.get(column).unwrap_or_default();
        match (cell(columns.from), cell(columns.to)) {
            ("", "") => {}
            (from, "") => {
                draft.node(from, line)?;
            }
            ("", to) => {
                let problem = format!("an edge into {} without a cause", quoted(to));
                return Err(draft.error(
                    line,
                    problem,
                    "name the cause in `from`; an isolated node is written in `from` alone",
                ));
            }
            (from, to) => {
                let (from, to) = (draft.node(from, line)?, draft.node(to, line)?);
                draft.edge(from, to, line)?;
            }
        }
    }
    draft.finish()
}

fn starts_matrix(header: &StringRecord) -> bool {
    let corner = header.get(0).unwrap_or("-").trim();
    header.len() > 1 && (corner.is_empty() || corner.eq_ignore_ascii_case("name"))
}

/// Reads rows `A,0,1,0` below the header `,A,B,C`: the row is the cause.
fn parse_matrix(
    rows: impl Iterator<Item = Result<Row>>,
    header: &StringRecord,
    mut draft: Draft<'_>,
) -> Result<NamedDag> {
    for (number, name) in header.iter().skip(1).enumerate() {
        if draft.node(name, Some(1))? != number {
            return Err(draft.error(
                Some(1),
                format!("two columns are called {}", quoted(name)),
                "give every node its own name",
            ));
        }
    }
    let mut seen = vec![false; header.len() - 1];
    for row in rows {
        matrix_row(&row?, header, &mut seen, &mut draft)?;
    }
    match seen.iter().position(|seen| !seen) {
        Some(missing) => {
            let problem = format!("there is no row for {}", quoted(&header[missing + 1]));
            Err(draft.error(None, problem, "give the matrix one row and one column per node"))
        }
        None => draft.finish(),
    }
}

fn matrix_row(row: &Row, header: &StringRecord, seen: &mut [bool], draft: &mut Draft<'_>) -> Result<()> {
    let (line, row) = (row.line, &row.cells);
    if row.len() != header.len() {
        let problem = format!("{} cells, expected {}", row.len(), header.len());
        return Err(draft.error(line, problem, "give every row its name and one cell per column"));
    }
    let from = draft.node(&row[0], line)?;
    if seen.get(from) != Some(&false) {
        let problem = format!("row {} has no column, or occurs twice", quoted(&row[0]));
        return Err(draft.error(line, problem, "give the matrix one row and one column per node"));
    }
    seen[from] = true;
    for (to, cell) in row.iter().skip(1).enumerate() {
        match cell.trim().parse::<f64>() {
            Ok(0.0) => {}
            Ok(1.0) => draft.edge(from, to, line)?,
            _ => {
                let (column, cell) = (quoted(&header[to + 1]), quoted(cell));
                let problem = format!("column {column}: expected 0 or 1, found {cell}");
                return Err(draft.error(
                    line,
                    problem,
                    "write 1 where the row is a cause of the column, else 0",
                ));
            }
        }
    }
    Ok(())
}

/// The line of a row, past the empty lines that the reader counts to it.
fn line_of(row: &StringRecord, text: &str) -> Option<u64> {
    let position = row.position()?;
    let rest = text.as_bytes().get(position.byte() as usize..)?;
    let blank = rest.iter().take_while(|&&byte| byte == b'\n' || byte == b'\r');
    Some(position.line() + blank.filter(|&&byte| byte == b'\n').count() as u64)
}

fn explain(error: &::csv::Error, source: &str) -> Error {
    format_error(source, error.position().map(::csv::Position::line), error.to_string(), HINT)
}

/// One row per edge, then one per isolated node.
pub(super) fn write(graph: &NamedDag) -> String {
    let mut rows = vec![("from", "to")];
    rows.extend(graph.edges());
    let named: std::collections::HashSet<&str> =
        rows[1..].iter().flat_map(|&(from, to)| [from, to]).collect();
    let isolated = graph.names.iter().filter(|name| !named.contains(name.as_str()));
    rows.extend(isolated.map(|name| (name.as_str(), "")));
    let mut writer = Writer::from_writer(Vec::new());
    for (from, to) in rows {
        writer.write_record([from, to]).expect("rows of two cells go into memory");
    }
    let bytes = writer.into_inner().expect("memory needs no flushing");
    String::from_utf8(bytes).expect("cells are UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(text: &str) -> String {
        parse(text, "x.csv").unwrap_err().to_string()
    }

    #[test]
    fn lists_are_read_whatever_else_their_columns_hold() {
        let graph = parse("weight,To,FROM\n0.5,b,a\n,,c\n\n1,a,c\n", "x").unwrap();
        assert_eq!(graph.names, ["a", "b", "c"]);
        assert_eq!(graph.edges(), [("a", "b"), ("c", "a")]);
        assert_eq!(parse("source,target\na,b\nc\n", "x").unwrap().names, ["a", "b", "c"]);
        assert_eq!(parse(",from,to\n0,a,b\n", "x").unwrap().edges(), [("a", "b")]);
    }

    #[test]
    fn a_matrix_has_causes_in_rows() {
        let graph = parse(",a,b,c\nb,0,0,1\na,0,1.0,0\nc,0,0,0\n", "x").unwrap();
        assert_eq!(graph.edges(), [("a", "b"), ("b", "c")]);
        assert_eq!(parse("Name,a\na,0\n", "x").unwrap().names, ["a"]);
    }

    #[test]
    fn isolated_nodes_are_written_with_an_empty_end() {
        let dag = crate::Dag::from_edges(3, [(2, 0)]).unwrap();
        let graph = NamedDag { names: ["a, b", "c", "d"].map(String::from).to_vec(), dag };
        assert_eq!(write(&graph), "from,to\nd,\"a, b\"\nc,\n");
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let header = "`x.csv` line 1: neither the columns `from` and `to` nor a matrix with names";
        assert_eq!(error_of(""), header);
        assert_eq!(error_of("a,b\n"), header);
        assert_eq!(
            error_of("from,to\r\na,b\r\n\r\n\r\n,b\r\n"),
            "`x.csv` line 5: an edge into `b` without a cause"
        );
        assert_eq!(error_of(",a,b\na,0,2\n"), "`x.csv` line 2: column `b`: expected 0 or 1, found `2`");
        assert_eq!(
            error_of(",a,b\na,0,1\nc,0,0\n"),
            "`x.csv` line 3: row `c` has no column, or occurs twice"
        );
        assert_eq!(error_of(",a,b\na,0\n"), "`x.csv` line 2: 2 cells, expected 3");
        assert_eq!(error_of(",a,b\na,0,1\n"), "`x.csv`: there is no row for `b`");
        assert_eq!(error_of(",a,a\n"), "`x.csv` line 1: two columns are called `a`");
        assert_eq!(error_of("from,to\na,b\nb,c\nc,a\n"), "edges of `x.csv` form a cycle: a -> b -> c -> a");
    }
}
