//! The table of all options of a run: name, type, default, value and help of each, in one place.
//!
//! From it follow the structure that fronts fill, the names in messages, the flags of the command line with
//! their help, and the keywords of
//! Python. A new option is an entry here, and the line where it is used.

/// Hands the table to the macro `$then`, which makes of it what it needs.
///
/// ```text
/// /// Help; an option named in it stands in backticks: `alpha`, or `estimator=counts` with a value.
/// Variant name: Type = default => "VALUE" in 1..=9;
/// ```
///
/// Default, name of the value and range may be left out. The types are those that `run/options` knows.
macro_rules! option_table {
    ($then:ident) => {
        $then! {
            groups {
                Table "Table" {
                    /// Keep only these columns
                    Columns columns: Vec<String> => "A,B,..";
                    /// Leave out these columns
                    Ignore ignore: Vec<String> => "A,..";
                    /// Read these columns as categorical, even if they hold numbers
                    Labels labels: Vec<String> => "A,..";
                    /// Read these columns as numeric, even if they have few different values
                    Numbers numbers: Vec<String> => "A,..";
                    /// Read these columns of ordered labels as 1, 2, 3..; where neither numbers nor usual
                    /// words tell their order, say it, lowest first
                    Ordered ordered: Vec<OrderedLabels> => "A,B=LOW<HIGH,..";
                    /// Further cells that mean a missing value, besides "", NA, NaN and ?
                    Missing missing: Vec<String> => "TOKENS";
                    /// The column that names the variables set in a row, separated by `;` (default:
                    /// `intervention`, or `INT` with numbers)
                    Interventions interventions: Option<String> => "COLUMN";
                    /// A CSV file of 0 and 1 that says which cells were set by intervention
                    InterventionMask intervention_mask: Option<PathBuf> => "FILE";
                }
                Scoring "Scoring" {
                    /// The model that predicts a variable from its parents
                    Estimator estimator: EstimatorName;
                    /// The settings that the other options start from: `default`, or `paper` for the paper's
                    /// networks and quantisation, which take days for five variables unless `steps` is
                    /// lowered
                    Preset preset: Preset;
                    /// What every count starts from: 0.5 as in the paper, which `estimator=counts` takes, 1
                    /// for K2 (default: a mixture of 0.5 and more)
                    Alpha alpha: Option<f64> => "A";
                    /// Spread this many rows over each family's table instead of `alpha`: BDeu with this
                    /// equivalent sample size
                    Ess ess: Option<f64> => "S";
                    /// Number of bins of a numeric column (default: 8 with counts, 128 with `preset=paper`);
                    /// other estimators have none
                    Bins bins: Option<usize> => "N";
                    /// Where the bins lie: equally full if the column were normal, or equally wide bins of
                    /// tanh as in the paper, of numbers as they are or standardised
                    Binning binning: Option<Binning>;
                    /// What a child sees of a numeric parent: its bin, or the number itself as in the paper
                    ParentValues parent_values: Option<ParentValues>;
                    /// The most parents of a variable (default: as many as 5,000 families allow; 20,000 with
                    /// regressions, 100,000 with counts)
                    MaxParents max_parents: Option<usize> => "K";
                    /// With counts, leave out parent sets with more combinations of values than this
                    /// (default: the number of rows)
                    MaxConfigurations max_configurations: Option<usize> => "N";
                    /// Seed of the row order and of all random numbers
                    Seed seed: u64 => "N";
                    /// Number of row orders whose code lengths are averaged; several give standard deviations
                    Permutations permutations: usize = 1 => "R";
                    /// Code the rows in an order drawn from the seed, or as given
                    RowOrder row_order: RowOrder;
                    /// Worker threads (default: one per core); the result does not depend on it
                    Threads threads: Option<usize> => "N" in 1..=65_535;
                    /// Memory that scoring and search may use, such as 8GiB or 500MB
                    MemoryLimit memory_limit: Bytes => "SIZE";
                    /// Keep the code lengths of families in this file, and do not score again what it has
                    Store store: Option<PathBuf> => "FILE";
                }
                Networks "Networks" {
                    /// Number of networks per family, whose predictions are averaged (default: 1); several
                    /// give standard deviations, 0 means none
                    Networks networks: Option<usize> => "R";
                    /// Train networks for all families, not only where they can change the result: for
                    /// checking, at many times the cost
                    TrainAllNetworks train_all_networks: bool;
                    /// When networks are trained: continually on all rows seen, or from scratch at split
                    /// points as in the paper
                    Schedule schedule: Option<ScheduleName>;
                    /// Units of each hidden layer, such as 32,32
                    Hidden hidden: Option<Vec<usize>> => "N,N,..";
                    /// Optimiser of the networks
                    Optimiser optimiser: Option<OptimiserKind>;
                    /// Learning rate; with `schedule=blockwise` several, of which each split takes the best
                    LearningRate learning_rate: Option<Vec<f64>> => "X,..";
                    /// Gradient steps: after each chunk (replay), or at most after each split (blockwise)
                    Steps steps: Option<usize> => "N";
                    /// Rows per gradient step
                    Batch batch: Option<usize> => "N";
                    /// Do not calibrate the networks' predictions by a temperature
                    NoCalibration no_calibration: bool;
                }
                Blockwise "Networks trained from scratch (`schedule=blockwise`)" {
                    /// Number of split points, log-spaced
                    Splits splits: Option<usize> => "N";
                    /// The first split point; rows before it are coded with all levels equally likely
                    FirstSplit first_split: Option<usize> => "N";
                    /// Learning rate of the temperature
                    CalibrationRate calibration_rate: Option<f64> => "X";
                    /// Share of hidden units left out at random during training (dropout)
                    Dropout dropout: Option<f64> => "X";
                    /// Number of random Fourier features of the parents; 0 for the parents themselves
                    Frequencies frequencies: Option<usize> => "N";
                    /// Standard deviation of the frequencies
                    FrequencyScale frequency_scale: Option<f64> => "X";
                    /// Number of evaluations without improvement after which training stops
                    Patience patience: Option<usize> => "N";
                    /// Gradient steps between evaluations
                    EvaluationInterval evaluation_interval: Option<usize> => "N";
                    /// Share of the rows seen that is held out for validation
                    ValidationShare validation_share: Option<f64> => "X";
                    /// Start every network from the weights of the one at the split before, not from scratch
                    WarmStart warm_start: bool;
                }
                Knowledge "Knowledge" {
                    /// Edges that the graph must have
                    Require require: Vec<Edge> => "'A->B'";
                    /// Edges that the graph must not have
                    Forbid forbid: Vec<Edge> => "'A->B'";
                    /// Groups of variables in causal order: no edge goes from a later group to an earlier one
                    Tiers tiers: Vec<Vec<String>> => "'A,B;C;D'";
                    /// Variables without causes in the table
                    Roots roots: Vec<String> => "A,..";
                    /// Variables without effects in the table
                    Leaves leaves: Vec<String> => "A,..";
                    /// Columns that may cause anything, are never an effect and are no variables of the
                    /// graph: batch, site, wave, condition
                    Context context: Vec<String> => "A,..";
                    /// A TOML file with require, forbid, tiers, roots, leaves, context, max-parents
                    Knowledge knowledge: Option<PathBuf> => "FILE";
                }
                Search "Search" {
                    /// How the best graph is found
                    Search search: SearchName;
                    /// Number of restarts of `hill-climb` and `order` (default: 20)
                    Restarts restarts: Option<usize> => "N" in 0..=1_000_000;
                    /// Number of steps that `hill-climb` goes on without finding a shorter code, before it
                    /// restarts (default: 15)
                    TabuSteps tabu_steps: Option<usize> => "N" in 0..=1_000_000;
                    /// The graph where `hill-climb` or `order` begins (default: no edges but the required
                    /// ones)
                    Start start: Option<StartGraph> => "FILE";
                    /// Number of graphs in the ranking (with `search=exact` and more than 18 variables only
                    /// the best is known)
                    Top top: usize = 10 => "K" in 1..=1_000;
                }
                Run "" {
                    /// Stop scoring after this time, such as 90s, 10m or 2h, and answer from what is scored
                    /// by then (Ctrl-C does the same)
                    TimeLimit time_limit: Option<Time> => "TIME";
                }
            }
            // What single commands have besides, as far as messages name it.
            elsewhere {
                Data data,
                Families families,
                Out out,
                Rows rows,
                Seeds seeds,
                Set set,
                Settings settings,
                Shard shard,
                Variables variables,
            }
            // Options that have another name now.
            renamed {
                inputs => ParentValues,
                networks_everywhere => TrainAllNetworks,
                row_orders => Permutations,
                tabu => TabuSteps,
            }
        }
    };
}
pub(crate) use option_table;
