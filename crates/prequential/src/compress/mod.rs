//! Compression: writes a table as a file as long as its score says, and restores it byte for byte.

mod bytes;
mod channel;
mod columns;
mod file;
mod lattice;
mod layout;
mod range_coder;
mod wording;

use crate::base::error::{Error, Result};
use crate::base::format::{listed, quoted};
use crate::base::message::{OptionName, message};
use crate::estimator::{Auto, Counts, Estimator, Fourier, FourierSettings, Mix, Prior, SequentialPredictor};
use crate::graph::Dag;
use crate::table::{Kind, MISSING, Quantised, Scale, Table, Values, Variable, shuffled_rows};
use channel::Channel;
use columns::{ColumnCells, Streams, Symbols, pass_column, pass_gaps};
use file::{Field, FileHeader, FileParts, checksum};
use lattice::{Lattice, Points};
use layout::TextLayout;
use range_coder::{Decoder, Encoder};
use wording::{TextWording, Value};

/// The settings of compression.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CompressSettings {
    /// The estimator: `counts` for categorical tables, `linear`, `fourier` or `mix` without networks. By
    /// default the one that a score would use for this table, without networks.
    pub estimator: Estimator,
    /// The seed of the row order, as in a score.
    pub seed: u64,
}

/// A compressed table, and its sizes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Compressed {
    /// The file.
    pub bytes: Vec<u8>,
    /// Its sizes.
    pub sizes: Sizes,
}

/// The sizes of the parts of a file, in bytes, and the predicted size.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Sizes {
    /// Rows of the table.
    pub n_rows: usize,
    /// Rows that are coded: all, or the first of every run of equal lines.
    pub n_coded: usize,
    /// Variables of the graph.
    pub n_vars: usize,
    /// The estimator that predicted them.
    pub estimator: String,
    /// The table as text.
    pub table: usize,
    /// The file.
    pub file: usize,
    /// The header: names, labels, kinds, resolutions, locations and scales, graph, number formats,
    /// exceptions, columns that are not variables, which cells are missing, checksums.
    pub header: usize,
    /// The part of the header that tells which cells are missing.
    pub missing: usize,
    /// Digits of numbers beyond the resolution at which they are scored.
    pub digits: usize,
    /// The code: all cells at that resolution.
    pub code: usize,
    /// The cost of the cells as in a score, in nats, without the structure prior.
    pub nats: f64,
}

impl Sizes {
    /// The code length in fractional bytes.
    pub fn predicted_bytes(&self) -> f64 {
        self.nats / (8.0 * std::f64::consts::LN_2)
    }

    /// The relative excess of the code over the prediction.
    pub fn excess(&self) -> f64 {
        self.code as f64 / self.predicted_bytes() - 1.0
    }

    /// Bits of the whole file for each row.
    pub fn bits_per_row(&self) -> f64 {
        8.0 * self.file as f64 / self.n_rows as f64
    }
}

/// Compresses a text table by the predictions that its score adds up under a graph, so that [`decompress`]
/// restores every byte.
///
/// `table` is the result of [`Table::from_bytes`] for `bytes`. Variables are coded one after another, parents
/// first; their rows in the order of a score. What is not predicted is in a header: [`Sizes`] gives its
/// length. The file is verified before it is returned. Only the same version on the same kind of machine can
/// read it: predictions are floating-point numbers.
///
/// ```
/// use prequential::compression::{CompressSettings, compress, decompress};
/// use prequential::{Dag, ReadOptions, Table};
/// let rows: String = (0..2_000).map(|day| format!("{},{}\n", day * day % 7 % 3, day % 2)).collect();
/// let text = format!("sky,rain\n{rows}");
/// let table = Table::from_bytes("weather.csv", text.as_bytes(), &ReadOptions::default())?;
/// let file = compress(text.as_bytes(), &table, &Dag::empty(2), &CompressSettings::default())?;
/// assert!(file.sizes.excess() < 0.001);
/// assert_eq!(decompress("weather.prq", &file.bytes)?, text.as_bytes());
/// # Ok::<(), prequential::Error>(())
/// ```
pub fn compress(bytes: &[u8], table: &Table, dag: &Dag, settings: &CompressSettings) -> Result<Compressed> {
    let estimator = estimator_for(table, &settings.estimator)?;
    let (header, mut columns) = describe(bytes, table, dag, estimator, settings.seed)?;
    let mut predictor = predictor(&header).ok_or_else(|| refused(&header.estimator))?;
    let writing = || Channel::Write(Encoder::new());
    let mut streams = Streams { gaps: writing(), digits: writing(), code: writing() };
    let nats = pass(&header, &mut streams, &mut *predictor, &mut columns);
    let parts = FileParts {
        header: header.pack(),
        gaps: streams.gaps.finish(),
        digits: streams.digits.finish(),
        code: streams.code.finish(),
    };
    let file = parts.join();
    if !nats.is_finite() || !decompress("", &file).is_ok_and(|back| back == bytes) {
        return Err(Error::Setting {
            what: "the compressed file does not restore the table".into(),
            hint: message![
                "this should not happen: please report it; ",
                OptionName::Estimator.set("linear"),
                " may do"
            ],
        });
    }
    let sizes = Sizes {
        n_rows: table.n_rows(),
        n_coded: header.n_rows,
        n_vars: columns.len(),
        estimator: header.estimator.name().to_string(),
        table: bytes.len(),
        file: file.len(),
        header: file.len() - parts.digits.len() - parts.code.len(),
        missing: parts.gaps.len(),
        digits: parts.digits.len(),
        code: parts.code.len(),
        nats,
    };
    Ok(Compressed { bytes: file, sizes })
}

/// Restores the table that [`compress`] compressed, byte for byte; `name` is that of the file, for messages.
///
/// A damaged file is refused, and so is one for which this machine's predictions differ from those of the
/// machine that wrote it.
pub fn decompress(name: &str, bytes: &[u8]) -> Result<Vec<u8>> {
    let refuse = |problem: String, hint: &'static str| Error::Format {
        path: name.to_string(),
        line: None,
        problem: problem.into(),
        hint: hint.into(),
    };
    let damaged = |_| refuse("the file is damaged: its checksum does not match".into(), "get the file again");
    let parts = FileParts::split(bytes).ok_or_else(|| {
        refuse("this is not a compressed table".into(), "name a file that `compress` has written")
    })?;
    let parts = parts.map_err(damaged)?;
    let header = FileHeader::unpack(&parts.header).map_err(damaged)?;
    let reading = |bytes| Channel::Read(Decoder::new(bytes));
    let mut streams =
        Streams { gaps: reading(&parts.gaps), digits: reading(&parts.digits), code: reading(&parts.code) };
    let mut predictor = predictor(&header).ok_or_else(|| refused(&header.estimator))?;
    let mut columns = vec![vec![Some(0); header.n_rows]; header.dag.n_nodes()];
    pass(&header, &mut streams, &mut *predictor, &mut columns);
    let table = write_table(&header, &columns);
    if checksum(&table) != header.checksum {
        let version = &header.version;
        return Err(refuse(
            format!("the restored table differs from the original; version {version} wrote the file"),
            "read it with the same version, on a machine of the same kind: others may round predictions differently",
        ));
    }
    Ok(table)
}

/// The estimator that was chosen, or the one for this table, without networks.
fn estimator_for(table: &Table, asked: &Estimator) -> Result<Estimator> {
    let has_numbers = table.variables().iter().any(|variable| variable.kind() == Kind::Continuous);
    let estimator = match asked {
        Estimator::Auto(Auto { mix, .. }) if has_numbers => Mix { networks: 0, ..mix.clone() }.into(),
        // A file has its graph in the header, so no structure prior is needed; a single alpha is as short for
        // the right graph.
        Estimator::Auto(Auto { counts, .. }) if counts.prior == Prior::Mixed => Counts::default().into(),
        Estimator::Auto(Auto { counts, .. }) => counts.clone().into(),
        chosen => chosen.clone(),
    };
    estimator.resolve(table)?;
    let is_usual = |regressions: &FourierSettings| *regressions == FourierSettings::default();
    let is_written = match &estimator {
        Estimator::Counts(counts) => counts.prior != Prior::Mixed,
        Estimator::Linear(_) => true,
        Estimator::Fourier(Fourier { regressions, .. }) => is_usual(regressions),
        Estimator::Mix(Mix { regressions, networks: 0, .. }) => is_usual(regressions),
        _ => false,
    };
    if !is_written {
        return Err(refused(&estimator));
    }
    if has_numbers && matches!(estimator, Estimator::Counts(_)) {
        return Err(Error::Setting {
            what: message![OptionName::Estimator.set("counts"), " bins numbers, which cannot be restored"],
            hint: message!["leave it out, or choose ", OptionName::Estimator.set("linear")],
        });
    }
    // Limits of a search change no prediction.
    Ok(match estimator {
        Estimator::Counts(counts) => Counts { max_configurations: None, ..counts }.into(),
        Estimator::Mix(Mix { prior, .. }) => Mix { prior, networks: 0, ..Mix::default() }.into(),
        other => other,
    })
}

fn refused(estimator: &Estimator) -> Error {
    Error::Setting {
        what: message![
            OptionName::Estimator,
            format!(" is `{}`, which cannot be used for compression", estimator.name())
        ],
        hint: "use an estimator in closed form: counts for categorical tables, linear, fourier, or mix without networks"
            .into(),
    }
}

fn predictor(header: &FileHeader) -> Option<Box<dyn SequentialPredictor>> {
    // Names are for messages only.
    let names = vec![String::new(); header.dag.n_nodes()];
    header.estimator.sequential(Quantised::unknown(header.n_rows, &names))
}

/// The header of a table, and its cells.
fn describe(
    bytes: &[u8],
    table: &Table,
    dag: &Dag,
    estimator: Estimator,
    seed: u64,
) -> Result<(FileHeader, Vec<Symbols>)> {
    let name = table.source().map_or("", |source| &source.path);
    let refuse = |problem: String, hint: &'static str| Error::Format {
        path: name.to_string(),
        line: None,
        problem: problem.into(),
        hint: hint.into(),
    };
    let split = TextLayout::split(bytes).filter(|(_, rows)| rows.len() == table.n_rows());
    let (layout, rows) = split.ok_or_else(|| {
        refuse(
            "the table cannot be restored byte for byte".into(),
            "compress plain text with one line per row: decompress .gz, remove blank lines, use one kind of line end",
        )
    })?;
    let set = table.variables().iter().filter(|variable| variable.intervened.is_some());
    let set: Vec<String> = set.map(|variable| variable.name.clone()).collect();
    if !set.is_empty() {
        return Err(refuse(
            format!("cells of {} were set by intervention and are not predicted", listed(&set)),
            "compress the table without the column of interventions",
        ));
    }
    let CodedLines { rows, places, runs } = coded_lines(rows);
    let mut variables = table.variables().iter().peekable();
    let (mut fields, mut columns) = (Vec::new(), Vec::new());
    for (position, field) in layout.names().iter().enumerate() {
        let cells: Vec<&[u8]> = rows.iter().map(|row| row[position]).collect();
        match variables.next_if(|variable| variable.name == *field) {
            None => fields.push(Field::Aside(cells.iter().map(|cell| cell.to_vec()).collect())),
            Some(variable) => {
                let (cells, wording, symbols) =
                    describe_variable(variable, &places, &cells).ok_or_else(|| {
                        refuse(
                            format!("the numbers of {} are too far apart to be coded", quoted(field)),
                            "read the column as labels, or leave it out",
                        )
                    })?;
                fields.push(Field::Variable { cells, wording });
                columns.push(symbols);
            }
        }
    }
    if columns.len() != table.n_vars() {
        return Err(refuse(
            "the columns of the text differ from those of the table".into(),
            "compress the file that the table was read from",
        ));
    }
    let header = FileHeader {
        version: env!("CARGO_PKG_VERSION").to_string(),
        checksum: checksum(bytes),
        estimator,
        seed,
        n_rows: rows.len(),
        runs,
        layout,
        fields,
        dag: dag.clone(),
    };
    Ok((header, columns))
}

/// The lines of a table that are coded.
struct CodedLines<'a> {
    /// Their cells.
    rows: Vec<Vec<&'a [u8]>>,
    /// The position of each.
    places: Vec<usize>,
    /// The length of each run of equal lines; empty if all are 1.
    runs: Vec<usize>,
}

/// The first line of every run of equal lines; all lines, if few are equal.
///
/// A score treats rows as exchangeable. In a table sorted by all columns the order carries half of the
/// information, and each line is then coded once.
fn coded_lines(rows: Vec<Vec<&[u8]>>) -> CodedLines<'_> {
    let runs: Vec<usize> = rows.chunk_by(|a, b| a == b).map(<[_]>::len).collect();
    if 2 * runs.len() > rows.len() {
        let places = (0..rows.len()).collect();
        return CodedLines { rows, places, runs: Vec::new() };
    }
    let starts = runs.iter().scan(0, |end, length| {
        *end += length;
        Some(*end - length)
    });
    let places: Vec<usize> = starts.collect();
    CodedLines { rows: places.iter().map(|&first| rows[first].clone()).collect(), places, runs }
}

/// The values of a variable in some rows and their texts; `None` if they cannot be coded.
fn describe_variable(
    variable: &Variable,
    rows: &[usize],
    texts: &[&[u8]],
) -> Option<(ColumnCells, TextWording, Symbols)> {
    match &variable.values {
        Values::Labels { levels, codes } => {
            let symbol = |&code: &u32| (code != MISSING).then_some(u64::from(code));
            let symbols: Symbols = rows.iter().map(|&row| symbol(&codes[row])).collect();
            let wording = TextWording::of_labels(&symbols, levels.len(), texts);
            Some((ColumnCells::Labels(levels.len()), wording, symbols))
        }
        Values::Numbers(numbers) => {
            // -0 is written as an exception.
            let numbers: Vec<f64> = rows.iter().map(|&row| numbers[row] + 0.0).collect();
            let points = Points::of(&numbers);
            let lattice = Lattice::new(points, Scale::of(&numbers))?;
            let place = |&number: &f64| (!number.is_nan()).then(|| points.place(number));
            let symbols = numbers.iter().map(place).collect();
            Some((ColumnCells::Numbers(lattice), TextWording::of_numbers(&numbers, texts), symbols))
        }
    }
}

/// Codes all cells: first which are missing, then variable by variable, parents first. Returns their cost as
/// in a score, in nats.
fn pass(
    header: &FileHeader,
    streams: &mut Streams,
    predictor: &mut dyn SequentialPredictor,
    columns: &mut [Symbols],
) -> f64 {
    let order = shuffled_rows(header.n_rows, header.seed, 0);
    let variables: Vec<&ColumnCells> = header
        .fields
        .iter()
        .filter_map(|field| match field {
            Field::Variable { cells, .. } => Some(cells),
            Field::Aside(_) => None,
        })
        .collect();
    for node in 0..columns.len() {
        let (before, from) = columns.split_at_mut(node);
        pass_gaps(&mut streams.gaps, &mut from[0], before.last());
    }
    let mut nats = 0.0;
    for node in header.dag.topological_order() {
        let mut symbols: Symbols = order.iter().map(|&row| columns[node][row as usize]).collect();
        let family = (node, header.dag.parents(node));
        nats += pass_column(streams, predictor, family, variables[node], &mut symbols);
        for (&row, symbol) in order.iter().zip(symbols) {
            columns[node][row as usize] = symbol;
        }
    }
    nats
}

/// The table as text.
fn write_table(header: &FileHeader, columns: &[Symbols]) -> Vec<u8> {
    let rows = (0..header.n_rows).map(|row| {
        let mut variables = columns.iter();
        let cell = |field: &Field| match field {
            Field::Aside(cells) => cells[row].clone(),
            Field::Variable { cells, wording } => {
                let symbol = variables.next().and_then(|symbols| symbols[row]);
                let value = symbol.map(|symbol| match cells {
                    ColumnCells::Labels(_) => Value::Label(symbol as usize),
                    ColumnCells::Numbers(lattice) => Value::Number(lattice.points.number(symbol)),
                });
                wording.text(row, value)
            }
        };
        header.fields.iter().map(cell).collect::<Vec<Vec<u8>>>()
    });
    let length = |row: usize| header.runs.get(row).copied().unwrap_or(1);
    header.layout.join(rows.enumerate().flat_map(|(row, cells)| vec![cells; length(row)]))
}
