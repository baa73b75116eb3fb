//! The distinct texts of a column, each stored once.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Distinct texts in order of first appearance; a text's position is its code.
///
/// All texts share one string, because a column of numbers has millions of short ones and an allocation for each would
/// take more time than reading the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Interner {
    texts: String,
    /// Where each text ends in `texts`.
    ends: Vec<usize>,
    /// The row, from 0, in which each text first appeared.
    first_rows: Vec<usize>,
    /// A hash table with linear probing; at most half full, its length a power of two.
    slots: Vec<Slot>,
}

/// The code of a text and a part of its hash, which settles nearly every comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Slot {
    hash: u32,
    code: u32,
}

const FREE: Slot = Slot { hash: 0, code: u32::MAX };

impl Interner {
    /// The code of `text`, which appears in `row`.
    pub(super) fn intern(&mut self, text: &str, row: usize) -> u32 {
        if 2 * (self.ends.len() + 1) > self.slots.len() {
            self.grow();
        }
        let hash = hash(text);
        let mut at = hash as usize & (self.slots.len() - 1);
        while self.slots[at] != FREE {
            let Slot { hash: other, code } = self.slots[at];
            if other == hash && self.text(code) == text {
                return code;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
        let code = u32::try_from(self.ends.len()).expect("a column has fewer than 2^32 distinct cells");
        self.slots[at] = Slot { hash, code };
        self.texts.push_str(text);
        self.ends.push(self.texts.len());
        self.first_rows.push(row);
        code
    }

    /// How many distinct texts there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The text with this code.
    pub(super) fn text(&self, code: u32) -> &str {
        let code = code as usize;
        let start = if code == 0 { 0 } else { self.ends[code - 1] };
        &self.texts[start..self.ends[code]]
    }

    /// The row, from 0, in which the text with this code first appeared.
    pub(super) fn first_row(&self, code: u32) -> usize {
        self.first_rows[code as usize]
    }

    /// The texts in the order of their codes.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.texts[start..end])
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![FREE; (2 * old.len()).max(16)];
        let mask = self.slots.len() - 1;
        for slot in old.into_iter().filter(|&slot| slot != FREE) {
            let mut at = slot.hash as usize & mask;
            while self.slots[at] != FREE {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
    }
}

fn hash(text: &str) -> u32 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_follow_the_order_of_first_appearance() {
        let mut interner = Interner::default();
        let codes: Vec<u32> = ["b", "a", "b", "", "a"]
            .iter()
            .enumerate()
            .map(|(row, text)| interner.intern(text, row))
            .collect();
        assert_eq!(codes, [0, 1, 0, 2, 1]);
        assert_eq!(interner.iter().collect::<Vec<_>>(), ["b", "a", ""]);
        assert_eq!([interner.first_row(0), interner.first_row(1), interner.first_row(2)], [0, 1, 3]);
    }

    #[test]
    fn thousands_of_texts_keep_their_codes_while_the_table_grows() {
        let mut interner = Interner::default();
        for round in 0..2 {
            for number in 0..5000_u32 {
                assert_eq!(interner.intern(&number.to_string(), round), number);
            }
        }
        assert_eq!(interner.len(), 5000);
        assert_eq!(interner.text(4999), "4999");
    }
}
