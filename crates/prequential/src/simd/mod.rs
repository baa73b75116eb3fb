//! Runs a computation compiled for the widest vector instructions of this machine: the only unsafe code of
//! the project.
#![allow(unsafe_code, reason = "calling code compiled for vectors that were just found to be there")]

/// A computation that is compiled once for every kind of vector instructions.
///
/// `run` and all that it calls in its loops must be `#[inline(always)]`, or they are compiled for the oldest machines.
pub(crate) trait Kernel {
    /// The result.
    type Output;

    /// Runs it with the arithmetic `A`.
    fn run<A: Arithmetic>(self) -> Self::Output;
}

/// Vector arithmetic: vectors of numbers, with or without fused multiply-add.
///
/// A product is added with one rounding if the machine has fused multiply-add, two otherwise: results differ
/// in the last bits between machines with and without it, and agree among those with it, whatever the width
/// of their vectors.
pub(crate) trait Arithmetic: Copy {
    /// A vector register of [`LANES`](Arithmetic::LANES) numbers.
    type Vector: Copy;

    /// How many numbers a vector holds: a divisor of 16.
    const LANES: usize;

    /// How many vectors wide a tile of six rows may be, so that its sums fit the registers.
    const TILE_VECTORS: usize;

    /// Runs a kernel in a function of its own, so that code shared by kernels is compiled once for each kind
    /// of vectors.
    fn call<K: Kernel>(kernel: K) -> K::Output;

    /// a b + c.
    fn mul_add32(a: f32, b: f32, c: f32) -> f32;

    /// a b + c.
    fn mul_add64(a: f64, b: f64, c: f64) -> f64;

    /// a b + c, number by number.
    fn mul_add(a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;

    /// A vector of equal numbers.
    fn splat(value: f32) -> Self::Vector;

    /// The first numbers of `values`.
    fn load(values: &[f32]) -> Self::Vector;

    /// Overwrites the first numbers of `values`.
    fn store(vector: Self::Vector, values: &mut [f32]);
}

/// Implements arithmetic on arrays, which the compiler maps to registers.
macro_rules! arrays {
    () => {
        type Vector = [f32; 8];
        const LANES: usize = 8;
        const TILE_VECTORS: usize = 2;

        #[inline(always)]
        fn mul_add(a: [f32; 8], b: [f32; 8], c: [f32; 8]) -> [f32; 8] {
            std::array::from_fn(|i| Self::mul_add32(a[i], b[i], c[i]))
        }

        #[inline(always)]
        fn call<K: Kernel>(kernel: K) -> K::Output {
            out_of_line::<K, Self>(kernel)
        }

        #[inline(always)]
        fn splat(value: f32) -> [f32; 8] {
            [value; 8]
        }

        #[inline(always)]
        fn load(values: &[f32]) -> [f32; 8] {
            std::array::from_fn(|i| values[i])
        }

        #[inline(always)]
        fn store(vector: [f32; 8], values: &mut [f32]) {
            values[..8].copy_from_slice(&vector);
        }
    };
}

/// Implements arithmetic that rounds once (fused multiply-add).
macro_rules! rounds_once {
    () => {
        #[inline(always)]
        fn mul_add32(a: f32, b: f32, c: f32) -> f32 {
            a.mul_add(b, c)
        }

        #[inline(always)]
        fn mul_add64(a: f64, b: f64, c: f64) -> f64 {
            a.mul_add(b, c)
        }
    };
}

/// Rounds once.
#[derive(Clone, Copy)]
struct Fused;

impl Arithmetic for Fused {
    arrays!();
    rounds_once!();
}

/// Rounds twice: without the instruction, rounding once would be a function call.
#[derive(Clone, Copy)]
struct Separate;

impl Arithmetic for Separate {
    arrays!();

    #[inline(always)]
    fn mul_add32(a: f32, b: f32, c: f32) -> f32 {
        a * b + c
    }

    #[inline(always)]
    fn mul_add64(a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }
}

/// Registers of x86-64 machines.
#[cfg(target_arch = "x86_64")]
mod registers {
    use std::arch::x86_64::*;

    use super::{Arithmetic, Kernel, with_avx2, with_avx512};

    /// Implements arithmetic with registers. Only code that runs where these instructions were found may use it.
    macro_rules! registers {
        ($name:ident, $vector:ty, $lanes:literal, $tile_vectors:literal, $call:ident, $mul_add:ident, $splat:ident, $load:ident, $store:ident) => {
            #[derive(Clone, Copy)]
            pub(super) struct $name;

            impl Arithmetic for $name {
                rounds_once!();

                type Vector = $vector;
                const LANES: usize = $lanes;
                const TILE_VECTORS: usize = $tile_vectors;

                #[inline(always)]
                fn call<K: Kernel>(kernel: K) -> K::Output {
                    // SAFETY: code that names this type runs only where the instructions are.
                    unsafe { $call(kernel) }
                }

                #[inline(always)]
                fn mul_add(a: $vector, b: $vector, c: $vector) -> $vector {
                    // SAFETY: as above.
                    unsafe { $mul_add(a, b, c) }
                }

                #[inline(always)]
                fn splat(value: f32) -> $vector {
                    // SAFETY: as above.
                    unsafe { $splat(value) }
                }

                #[inline(always)]
                fn load(values: &[f32]) -> $vector {
                    let values = &values[..$lanes];
                    // SAFETY: as above, and so many numbers are there.
                    unsafe { $load(values.as_ptr()) }
                }

                #[inline(always)]
                fn store(vector: $vector, values: &mut [f32]) {
                    let values = &mut values[..$lanes];
                    // SAFETY: as above, and there is room for so many numbers.
                    unsafe { $store(values.as_mut_ptr(), vector) }
                }
            }
        };
    }

    registers!(
        Avx2,
        __m256,
        8,
        2,
        with_avx2,
        _mm256_fmadd_ps,
        _mm256_set1_ps,
        _mm256_loadu_ps,
        _mm256_storeu_ps
    );
    registers!(
        Avx512,
        __m512,
        16,
        4,
        with_avx512,
        _mm512_fmadd_ps,
        _mm512_set1_ps,
        _mm512_loadu_ps,
        _mm512_storeu_ps
    );
}

/// Runs `kernel` with the widest vectors that this machine has.
pub(crate) fn vectorised<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(test)]
    if let Some(vectors) = forced::in_this_thread() {
        return forced::run(vectors, kernel);
    }
    #[cfg(target_arch = "x86_64")]
    {
        if has_avx512() {
            // SAFETY: the machine has what the function is compiled for.
            return unsafe { with_avx512(kernel) };
        }
        if has_avx2() {
            // SAFETY: the machine has what the function is compiled for.
            return unsafe { with_avx2(kernel) };
        }
    }
    portable(kernel)
}

/// The part of a code's identity that depends on the machine.
///
/// Empty for machines with fused multiply-add, which is nearly all: they give the same bits, whatever the
/// width of their vectors.
pub(crate) fn arithmetic() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        return "";
    }
    if cfg!(target_arch = "aarch64") { "" } else { "two roundings" }
}

/// Runs `kernel` as any machine of this kind can.
pub(crate) fn portable<K: Kernel>(kernel: K) -> K::Output {
    // Every 64-bit Arm machine multiplies and adds in one instruction.
    if cfg!(target_arch = "aarch64") { kernel.run::<Fused>() } else { kernel.run::<Separate>() }
}

/// Vectors other than the widest of this machine, for tests.
#[cfg(test)]
pub(crate) mod forced {
    use std::cell::Cell;

    use super::{Fused, Kernel, Separate};

    /// The kinds of vectors.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Vectors {
        #[cfg(target_arch = "x86_64")]
        Avx512,
        #[cfg(target_arch = "x86_64")]
        Avx2,
        /// As every 64-bit Arm machine.
        Fused,
        /// As an x86-64 machine without AVX2.
        Separate,
    }

    thread_local! {
        static FORCED: Cell<Option<Vectors>> = const { Cell::new(None) };
    }

    /// Those that this machine can run; every machine can run the last two.
    pub(crate) fn possible() -> Vec<Vectors> {
        let mut vectors = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            vectors.extend(super::has_avx512().then_some(Vectors::Avx512));
            vectors.extend(super::has_avx2().then_some(Vectors::Avx2));
        }
        vectors.extend([Vectors::Fused, Vectors::Separate]);
        vectors
    }

    /// Runs everything in this thread with `vectors`, one of those that are possible, from now on.
    pub(crate) fn force(vectors: Vectors) {
        assert!(possible().contains(&vectors));
        FORCED.set(Some(vectors));
    }

    pub(super) fn in_this_thread() -> Option<Vectors> {
        FORCED.get()
    }

    pub(super) fn run<K: Kernel>(vectors: Vectors, kernel: K) -> K::Output {
        match vectors {
            // SAFETY: `force` takes only what the machine has.
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512 => unsafe { super::with_avx512(kernel) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2 => unsafe { super::with_avx2(kernel) },
            Vectors::Fused => kernel.run::<Fused>(),
            Vectors::Separate => kernel.run::<Separate>(),
        }
    }
}

#[inline(never)]
fn out_of_line<K: Kernel, A: Arithmetic>(kernel: K) -> K::Output {
    kernel.run::<A>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[inline(never)]
fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<registers::Avx2>()
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512bw")
        && has_avx2()
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
#[inline(never)]
fn with_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<registers::Avx512>()
}
