//! The reference networks of the literature.

use prequential::Dag;

/// The proteins, in the order of the file.
pub(super) const NAMES: [&str; 11] =
    ["raf", "mek", "plcg", "pip2", "pip3", "erk", "akt", "pka", "pkc", "p38", "jnk"];

/// The 20 links of Sachs et al. (2005), Figure 2.
const CONSENSUS_20: &str = "raf mek, mek erk, plcg pip2, plcg pkc, pip2 pkc, pip3 plcg, pip3 pip2, pip3 akt, erk akt, pka raf, \
    pka mek, pka erk, pka akt, pka p38, pka jnk, pkc raf, pkc mek, pkc pka, pkc p38, pkc jnk";

/// The 17 links of the discrete network `sachs` that Bayesian network tools ship.
const DISCRETE_17: &str = "raf mek, mek erk, plcg pip2, plcg pip3, pip3 pip2, erk akt, pka raf, pka mek, pka erk, pka akt, \
    pka p38, pka jnk, pkc raf, pkc mek, pkc pka, pkc p38, pkc jnk";

/// The 15 links that the paper infers, read off its figure: those shared with the accepted network, and the
/// others.
const INFERRED_15: &str = "mek raf, mek akt, mek p38, plcg pip2, pip3 pip2, akt erk, pka erk, pka akt, pkc mek, pkc plcg, pkc pka, pkc p38, \
    pkc jnk, p38 plcg, p38 jnk";

/// The place of a protein among the columns.
fn number(protein: &str) -> usize {
    NAMES.iter().position(|&name| name == protein).unwrap_or_else(|| panic!("no protein `{protein}`"))
}

/// The network of these links: cause and effect, separated by commas.
fn network(links: &str) -> Dag {
    let link = |link: &str| {
        let (from, to) = link.trim().split_once(' ').unwrap_or_else(|| panic!("two proteins in `{link}`"));
        (number(from), number(to))
    };
    Dag::from_edges(NAMES.len(), links.split(',').map(link))
        .unwrap_or_else(|cycle| panic!("the reference is acyclic: {cycle}"))
}

/// The accepted network.
pub(super) fn consensus_20() -> Dag {
    network(CONSENSUS_20)
}

/// The accepted network as the paper's figure draws it, without plcg -> pkc.
pub(super) fn figure_19() -> Dag {
    let (plcg, pkc) = (number("plcg"), number("pkc"));
    let edges = consensus_20().edges().into_iter().filter(|&edge| edge != (plcg, pkc));
    Dag::from_edges(NAMES.len(), edges).unwrap_or_else(|cycle| panic!("fewer links close no cycle: {cycle}"))
}

/// The graph that the paper infers.
pub(super) fn inferred_15() -> Dag {
    network(INFERRED_15)
}

/// The network of the tools.
pub(super) fn discrete_17() -> Dag {
    network(DISCRETE_17)
}

#[cfg(test)]
mod tests {
    use prequential::internals::shd;

    use super::*;

    #[test]
    fn the_paper_s_own_graph_has_the_distances_that_it_states() {
        let inferred = inferred_15();
        assert_eq!((inferred.n_edges(), shd(&inferred, &consensus_20())), (15, 16));
        assert_eq!((shd(&inferred, &figure_19()), shd(&inferred, &discrete_17())), (16, 14));
        let sizes = [consensus_20(), figure_19(), discrete_17()].map(|network| network.n_edges());
        assert_eq!(sizes, [20, 19, 17]);
    }
}
