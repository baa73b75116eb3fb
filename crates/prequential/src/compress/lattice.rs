//! The lattice of numbers that a column may hold, and the cells in which they are coded.

use super::bytes::{ByteReader, ByteWriter, Damaged};
use crate::table::Scale;

/// The most decimal places: up to here powers of ten are exact.
const MAX_DECIMALS: u32 = 22;

/// Whole numbers up to here are exact.
const MAX_EXACT: i64 = 1 << 53;

/// The most cells of a column: the minimum probability of every cell is then small in total.
const MAX_CELLS: u64 = 1 << 37;

/// All numbers in a range, in order: multiples of a step with this many decimal places, or all floating-point
/// numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Points {
    /// From `first`, in units of the last digit, with this `step`.
    Decimals { decimals: u32, first: i64, step: u64, n: u64 },
    /// From the number with these order-preserving bits.
    Floats { first: u64, n: u64 },
}

impl Points {
    /// The coarsest lattice that contains all `numbers`; NaN means missing.
    pub(super) fn of(numbers: &[f64]) -> Points {
        Points::of_decimals(numbers).unwrap_or_else(|| {
            let ordered = || numbers.iter().filter(|number| !number.is_nan()).map(|&number| order(number));
            let (first, last) = (ordered().min().unwrap_or(0), ordered().max().unwrap_or(0));
            Points::Floats { first, n: last - first + 1 }
        })
    }

    fn of_decimals(numbers: &[f64]) -> Option<Points> {
        let known = || numbers.iter().copied().filter(|number| !number.is_nan());
        let decimals = known().map(decimals_of).try_fold(0, |most, one| Some(most.max(one?)))?;
        let whole = |number: f64| {
            let whole = (number * 10_f64.powi(decimals as i32)).round() as i64;
            // 0 has two signs, of which whole numbers know one.
            let is_same = from_decimal(whole, decimals).to_bits() == number.to_bits();
            (whole.unsigned_abs() < MAX_EXACT as u64 && is_same).then_some(whole)
        };
        let whole: Vec<i64> = known().map(whole).collect::<Option<_>>()?;
        let first = whole.iter().copied().min()?;
        let step = whole.iter().fold(0, |step, &whole| divisor(step, (whole - first) as u64)).max(1);
        let n = whole.iter().map(|whole| (whole - first) as u64 / step).max()? + 1;
        Some(Points::Decimals { decimals, first, step, n })
    }

    /// How many there are.
    pub(super) fn n(self) -> u64 {
        match self {
            Points::Decimals { n, .. } | Points::Floats { n, .. } => n,
        }
    }

    /// The number at this position.
    pub(super) fn number(self, place: u64) -> f64 {
        match self {
            Points::Decimals { decimals, first, step, .. } => {
                from_decimal(first + (place * step) as i64, decimals)
            }
            Points::Floats { first, .. } => from_order(first + place),
        }
    }

    /// The position of a number of the lattice.
    pub(super) fn place(self, number: f64) -> u64 {
        match self {
            Points::Decimals { decimals, first, step, .. } => {
                ((number * 10_f64.powi(decimals as i32)).round() as i64 - first) as u64 / step
            }
            Points::Floats { first, .. } => order(number) - first,
        }
    }

    /// The distance of neighbours, if it is constant.
    fn step(self) -> Option<f64> {
        match self {
            Points::Decimals { decimals, step, .. } => Some(step as f64 / 10_f64.powi(decimals as i32)),
            Points::Floats { .. } => None,
        }
    }

    pub(super) fn write(self, bytes: &mut ByteWriter) {
        match self {
            Points::Decimals { decimals, first, step, n } => {
                bytes.number(1 + u64::from(decimals));
                bytes.signed(first);
                bytes.number(step);
                bytes.number(n);
            }
            Points::Floats { first, n } => {
                bytes.number(0);
                bytes.fixed(first);
                bytes.fixed(n);
            }
        }
    }

    pub(super) fn read(bytes: &mut ByteReader) -> Result<Points, Damaged> {
        let points = match bytes.number()? {
            0 => Points::Floats { first: bytes.fixed()?, n: bytes.fixed()? },
            more => {
                let decimals = u32::try_from(more - 1).map_err(|_| Damaged)?;
                Points::Decimals {
                    decimals,
                    first: bytes.signed()?,
                    step: bytes.number()?,
                    n: bytes.number()?,
                }
            }
        };
        let is_possible = match points {
            Points::Decimals { decimals, first, step, n } => {
                let last = i128::from(first) + i128::from(step) * i128::from(n);
                decimals <= MAX_DECIMALS && step > 0 && last <= 2 * i128::from(MAX_EXACT)
            }
            Points::Floats { first, n } => first.checked_add(n).is_some(),
        };
        if is_possible && points.n() > 0 { Ok(points) } else { Err(Damaged) }
    }
}

/// The decimal places of the shortest text of a number; `None` if they are too many.
fn decimals_of(number: f64) -> Option<u32> {
    let text = number.to_string();
    let decimals = text.split_once('.').map_or(0, |(_, behind)| behind.len()) as u32;
    (decimals <= MAX_DECIMALS).then_some(decimals)
}

/// The number with these digits: both are exact, so their quotient is correctly rounded.
fn from_decimal(whole: i64, decimals: u32) -> f64 {
    whole as f64 / 10_f64.powi(decimals as i32)
}

/// The bits of a number, in an order-preserving form.
fn order(number: f64) -> u64 {
    let bits = number.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

fn from_order(order: u64) -> f64 {
    f64::from_bits(if order >> 63 == 1 { order & !(1 << 63) } else { !order })
}

fn divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The cells of a column's points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lattice {
    pub(super) points: Points,
    /// The units in which numbers are coded.
    pub(super) scale: Scale,
    /// Whether every point is a cell of its own: the column is as coarse as its cells.
    is_coarse: bool,
    /// The number of the first cell, if there are several points in a cell, and how many cells there are.
    first_cell: i64,
    pub(super) n_cells: u64,
}

impl Lattice {
    /// `None` if there are more cells than can be coded.
    pub(super) fn new(points: Points, scale: Scale) -> Option<Lattice> {
        let is_coarse = points.step().is_some_and(|step| step / scale.scale > scale.width * (1.0 - 1e-6));
        let mut lattice = Lattice { points, scale, is_coarse, first_cell: 0, n_cells: points.n() };
        if !is_coarse {
            lattice.first_cell = lattice.grid_cell(0);
            lattice.n_cells = (lattice.grid_cell(points.n() - 1) - lattice.first_cell) as u64 + 1;
        }
        (lattice.n_cells <= MAX_CELLS).then_some(lattice)
    }

    /// A point in the units in which it is coded.
    pub(super) fn standard(&self, place: u64) -> f64 {
        self.scale.standard(self.points.number(place))
    }

    fn grid_cell(&self, place: u64) -> i64 {
        (self.standard(place) / self.scale.width).round() as i64
    }

    /// The cell of a point.
    pub(super) fn cell(&self, place: u64) -> u64 {
        if self.is_coarse { place } else { (self.grid_cell(place) - self.first_cell) as u64 }
    }

    /// The edge between a cell and the one before it, in the units in which the column is coded.
    pub(super) fn edge(&self, cell: u64) -> f64 {
        if self.is_coarse {
            let near = |place: u64| self.standard(place.min(self.points.n() - 1));
            return match cell {
                0 => near(0) - 0.5 * self.scale.width,
                last if last == self.n_cells => near(last) + 0.5 * self.scale.width,
                inner => 0.5 * (near(inner - 1) + near(inner)),
            };
        }
        ((self.first_cell + cell as i64) as f64 - 0.5) * self.scale.width
    }

    /// The edges of the cell of a point that is given in the units in which the column is coded.
    pub(super) fn cell_around(&self, standard: f64) -> (f64, f64) {
        let (mut place, mut end) = (0, self.points.n());
        while end - place > 1 {
            let middle = place + (end - place) / 2;
            if self.standard(middle) <= standard {
                place = middle;
            } else {
                end = middle;
            }
        }
        let cell = self.cell(place);
        (self.edge(cell), self.edge(cell + 1))
    }

    /// The first point of a cell, and how many points it has.
    pub(super) fn points_in(&self, cell: u64) -> (u64, u64) {
        if self.is_coarse {
            return (cell, 1);
        }
        let first = self.first_from(cell);
        (first, self.first_from(cell + 1) - first)
    }

    /// The first point that lies in this cell or a later one.
    fn first_from(&self, cell: u64) -> u64 {
        let (mut low, mut high) = (0, self.points.n());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.cell(middle) < cell {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(numbers: &[f64], width: f64) {
        let points = Points::of(numbers);
        let lattice = Lattice::new(points, Scale { location: 0.5, scale: 2.0, width }).unwrap();
        for &number in numbers {
            let place = points.place(number);
            assert_eq!(points.number(place).to_bits(), number.to_bits());
            let cell = lattice.cell(place);
            let (first, n) = lattice.points_in(cell);
            assert!((first..first + n).contains(&place) && cell < lattice.n_cells, "{number}");
            let standard = lattice.standard(place);
            let (low, high) = (lattice.edge(cell), lattice.edge(cell + 1));
            assert!(low <= standard + 1e-9 && standard <= high + 1e-9, "{number}: {low} {standard} {high}");
        }
    }

    proptest! {
        #[test]
        fn numbers_lie_in_their_cells(
            floats in proptest::collection::vec(-1e5f64..1e5, 1..30),
            whole in proptest::collection::vec(-2_000i32..2_000, 1..30),
        ) {
            check(&floats, 0.1);
            let decimals: Vec<f64> = whole.iter().map(|&whole| f64::from(whole) / 100.0).collect();
            check(&decimals, 0.005);
            check(&decimals, 0.1);
        }
    }

    #[test]
    fn decimals_are_recognised_with_their_step() {
        let tenths = [0.1, 0.7, 0.30000000000000004, -0.0];
        assert!(matches!(Points::of(&tenths), Points::Floats { .. }));
        let halves = [12.5, -3.0, f64::NAN, 1000.5];
        assert_eq!(Points::of(&halves), Points::Decimals { decimals: 1, first: -30, step: 5, n: 2_008 });
        assert!(matches!(Points::of(&[-1e300, 0.25]), Points::Floats { .. }));
        let ones = Points::of(&[7.0]);
        assert_eq!((ones.n(), ones.number(0)), (1, 7.0));
        assert!(matches!(Points::of(&[0.1 + 0.2, std::f64::consts::PI]), Points::Floats { .. }));
    }
}
