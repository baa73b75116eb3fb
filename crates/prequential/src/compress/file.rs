//! The file format: header, missing cells, digits, code, and a checksum.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use sha2::{Digest, Sha256};

use super::bytes::{ByteReader, ByteWriter, Damaged};
use super::columns::ColumnCells;
use super::lattice::{Lattice, Points};
use super::layout::TextLayout;
use super::wording::TextWording;
use crate::estimator::{Counts, Estimator, Fourier, Linear, Mix, Prior};
use crate::graph::{Dag, NodeSet};
use crate::table::Scale;

/// The first bytes of a file.
const MAGIC: &[u8] = b"PRQ1";

/// Bytes of the checksum: one damaged file in 10^19 passes.
const N_CHECKSUM: usize = 8;

/// The largest decompressed header.
const MAX_HEADER: u64 = 1 << 32;

/// The header: everything that a score takes as given, and how the table is written.
#[derive(Debug, PartialEq)]
pub(super) struct FileHeader {
    /// The version that wrote it.
    pub(super) version: String,
    /// The checksum of the table's bytes.
    pub(super) checksum: [u8; N_CHECKSUM],
    pub(super) estimator: Estimator,
    /// The seed of the row order.
    pub(super) seed: u64,
    /// Rows that are coded.
    pub(super) n_rows: usize,
    /// The length of each run of equal lines; empty if all are 1.
    pub(super) runs: Vec<usize>,
    pub(super) layout: TextLayout,
    /// The columns of the file, in order.
    pub(super) fields: Vec<Field>,
    pub(super) dag: Dag,
}

/// A column of the file.
#[derive(Debug, PartialEq)]
pub(super) enum Field {
    /// Not a variable: its cells verbatim.
    Aside(Vec<Vec<u8>>),
    /// A variable.
    Variable { cells: ColumnCells, wording: TextWording },
}

/// The parts of a file.
#[derive(Debug)]
pub(super) struct FileParts {
    pub(super) header: Vec<u8>,
    pub(super) gaps: Vec<u8>,
    pub(super) digits: Vec<u8>,
    pub(super) code: Vec<u8>,
}

/// The first bytes of the SHA-256 of `bytes`.
pub(super) fn checksum(bytes: &[u8]) -> [u8; N_CHECKSUM] {
    let hash = Sha256::digest(bytes);
    std::array::from_fn(|i| hash[i])
}

impl FileParts {
    /// The bytes of the file.
    pub(super) fn join(&self) -> Vec<u8> {
        let mut bytes = ByteWriter(MAGIC.to_vec());
        bytes.text(&self.header);
        bytes.text(&self.gaps);
        bytes.text(&self.digits);
        bytes.0.extend_from_slice(&self.code);
        let checksum = checksum(&bytes.0);
        bytes.0.extend(checksum);
        bytes.0
    }

    /// The parts of a file; `None` if it is not a file of this format.
    pub(super) fn split(bytes: &[u8]) -> Option<Result<FileParts, Damaged>> {
        bytes.starts_with(MAGIC).then(|| {
            let end = bytes.len().checked_sub(N_CHECKSUM).filter(|&end| end >= MAGIC.len()).ok_or(Damaged)?;
            let (content, sum) = bytes.split_at(end);
            if checksum(content) != sum {
                return Err(Damaged);
            }
            let mut reader = ByteReader(&content[MAGIC.len()..]);
            let [header, gaps, digits] = [reader.text()?, reader.text()?, reader.text()?].map(<[u8]>::to_vec);
            Ok(FileParts { header, gaps, digits, code: reader.0.to_vec() })
        })
    }
}

impl FileHeader {
    /// Its compressed bytes.
    pub(super) fn pack(&self) -> Vec<u8> {
        let mut bytes = ByteWriter::default();
        bytes.text(self.version.as_bytes());
        bytes.0.extend(self.checksum);
        let (kind, prior) = match &self.estimator {
            Estimator::Linear(linear) => (1, linear.prior),
            Estimator::Fourier(fourier) => (2, fourier.prior),
            Estimator::Mix(mix) => (3, mix.prior),
            Estimator::Counts(counts) => (0, counts.prior),
            _ => (0, Prior::default()),
        };
        let (is_size, prior) = match prior {
            Prior::Alpha(alpha) => (0, alpha),
            Prior::SampleSize(size) => (1, size),
            Prior::Mixed => panic!("predictions of a file start from one prior"),
        };
        bytes.number(kind << 1 | is_size);
        bytes.float(prior);
        bytes.number(self.seed);
        bytes.number(self.n_rows as u64);
        bytes.number(self.runs.len() as u64);
        self.runs.iter().for_each(|&length| bytes.number(length as u64));
        self.layout.write(&mut bytes);
        bytes.number(self.fields.len() as u64);
        self.fields.iter().for_each(|field| field.write(&mut bytes));
        for node in 0..self.dag.n_nodes() {
            bytes.number(self.dag.parents(node).len() as u64);
            self.dag.parents(node).iter().for_each(|parent| bytes.number(parent as u64));
        }
        let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
        let packed = packed.write_all(&bytes.0).and_then(|()| packed.finish());
        packed.expect("memory takes all bytes")
    }

    /// The header that [`FileHeader::pack`] compressed.
    pub(super) fn unpack(packed: &[u8]) -> Result<FileHeader, Damaged> {
        let mut bytes = Vec::new();
        DeflateDecoder::new(packed).take(MAX_HEADER).read_to_end(&mut bytes).map_err(|_| Damaged)?;
        let mut reader = ByteReader(&bytes);
        let bytes = &mut reader;
        let version = String::from_utf8_lossy(bytes.text()?).into_owned();
        let checksum = bytes.take(N_CHECKSUM)?.try_into().map_err(|_| Damaged)?;
        let estimator = read_estimator(bytes)?;
        let (seed, n_rows) = (bytes.number()?, bytes.size()?);
        let n_runs = bytes.size()?;
        let runs: Vec<usize> = (0..n_runs).map(|_| bytes.size()).collect::<Result<_, _>>()?;
        if !runs.is_empty() && runs.len() != n_rows {
            return Err(Damaged);
        }
        let layout = TextLayout::read(bytes)?;
        let n_fields = bytes.size()?;
        let fields: Vec<Field> =
            (0..n_fields).map(|_| Field::read(bytes, n_rows)).collect::<Result<_, _>>()?;
        let n_vars = fields.iter().filter(|field| matches!(field, Field::Variable { .. })).count();
        let parents = (0..n_vars).map(|_| read_parents(bytes, n_vars)).collect::<Result<_, _>>()?;
        let dag = Dag::from_parents(parents).map_err(|_| Damaged)?;
        Ok(FileHeader { version, checksum, estimator, seed, n_rows, runs, layout, fields, dag })
    }
}

fn read_estimator(bytes: &mut ByteReader) -> Result<Estimator, Damaged> {
    let kind = bytes.number()?;
    let prior = bytes.float()?;
    let prior = if kind & 1 == 1 { Prior::SampleSize(prior) } else { Prior::Alpha(prior) };
    Ok(match kind >> 1 {
        0 => Counts::default().into(),
        1 => Linear::default().into(),
        2 => Fourier::default().into(),
        3 => Estimator::from(Mix { networks: 0, ..Mix::default() }),
        _ => return Err(Damaged),
    }
    .with_prior(prior))
}

fn read_parents(bytes: &mut ByteReader, n_vars: usize) -> Result<NodeSet, Damaged> {
    let n_parents = bytes.size()?;
    let parent = |_| bytes.size().and_then(|parent| if parent < n_vars { Ok(parent) } else { Err(Damaged) });
    (0..n_parents).map(parent).collect()
}

impl Field {
    fn write(&self, bytes: &mut ByteWriter) {
        match self {
            Field::Aside(cells) => {
                bytes.number(0);
                cells.iter().for_each(|cell| bytes.text(cell));
            }
            Field::Variable { cells: ColumnCells::Labels(_), wording } => {
                bytes.number(1);
                wording.write(bytes);
            }
            Field::Variable { cells: ColumnCells::Numbers(lattice), wording } => {
                bytes.number(2);
                wording.write(bytes);
                lattice.points.write(bytes);
                let Scale { location, scale, width } = lattice.scale;
                [location, scale, width].into_iter().for_each(|number| bytes.float(number));
            }
        }
    }

    fn read(bytes: &mut ByteReader, n_rows: usize) -> Result<Field, Damaged> {
        match bytes.number()? {
            0 => {
                let cell = |_| bytes.text().map(<[u8]>::to_vec);
                (0..n_rows).map(cell).collect::<Result<_, _>>().map(Field::Aside)
            }
            1 => {
                let wording = TextWording::read(bytes, false)?;
                let n_levels = wording.n_levels();
                if n_levels == 0 {
                    return Err(Damaged);
                }
                Ok(Field::Variable { cells: ColumnCells::Labels(n_levels), wording })
            }
            2 => {
                let wording = TextWording::read(bytes, true)?;
                let points = Points::read(bytes)?;
                let [location, scale, width] = [bytes.float()?, bytes.float()?, bytes.float()?];
                let lattice = Lattice::new(points, Scale { location, scale, width }).ok_or(Damaged)?;
                Ok(Field::Variable { cells: ColumnCells::Numbers(lattice), wording })
            }
            _ => Err(Damaged),
        }
    }
}
