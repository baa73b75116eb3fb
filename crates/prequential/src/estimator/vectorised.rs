//! Runs a computation compiled for the widest vectors that this machine has: the only unsafe code of the project.
#![allow(unsafe_code, reason = "calling code compiled for vectors that were just found to be there")]

/// A computation that is compiled once for every kind of vectors.
///
/// `run` and all that it calls in its loops must be `#[inline(always)]`, or they are compiled for the oldest machines.
pub(crate) trait Kernel {
    /// What it gives.
    type Output;

    /// Runs it, multiplying and adding by `A`.
    fn run<A: Arithmetic>(self) -> Self::Output;
}

/// How a product is added.
///
/// One rounding where the machine has an instruction for it, two otherwise: results differ in the last bits between
/// machines with and without, and agree among those with.
pub(crate) trait Arithmetic: Copy {
    /// a b + c.
    fn mul_add32(a: f32, b: f32, c: f32) -> f32;

    /// a b + c.
    fn mul_add64(a: f64, b: f64, c: f64) -> f64;
}

/// Rounds once.
#[derive(Clone, Copy)]
struct Fused;

impl Arithmetic for Fused {
    #[inline(always)]
    fn mul_add32(a: f32, b: f32, c: f32) -> f32 {
        a.mul_add(b, c)
    }

    #[inline(always)]
    fn mul_add64(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
}

/// Rounds twice: without the instruction, rounding once would be a function call.
#[derive(Clone, Copy)]
struct Separate;

impl Arithmetic for Separate {
    #[inline(always)]
    fn mul_add32(a: f32, b: f32, c: f32) -> f32 {
        a * b + c
    }

    #[inline(always)]
    fn mul_add64(a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }
}

/// Runs `kernel` with the widest vectors that this machine has.
pub(crate) fn vectorised<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: the machine has what the function is compiled for.
            return unsafe { with_avx2(kernel) };
        }
    }
    portable(kernel)
}

/// Runs `kernel` as any machine of this kind can.
pub(crate) fn portable<K: Kernel>(kernel: K) -> K::Output {
    // Every 64-bit Arm machine multiplies and adds in one instruction.
    if cfg!(target_arch = "aarch64") { kernel.run::<Fused>() } else { kernel.run::<Separate>() }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Fused>()
}
