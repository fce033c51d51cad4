import CommandLineParsing
import Glibc

/// How progress is shown.
enum ProgressMode: String, CaseIterable, Sendable {
    /// A bar on a terminal, plain lines elsewhere.
    case auto
    case bar, plain, json, none

    /// For commands whose data go to standard output: a line between them would be in the way on a terminal.
    var besideData: ProgressMode { self == .auto && isatty(1) == 1 ? .none : self }
}

extension Flag where Options: OptionTable {
    /// The option that says how progress is shown.
    static func progress(_ path: Path<ProgressMode>) -> Self {
        .choice(
            "progress", path, placeholder: "HOW",
            "How to show progress; auto is a bar on a terminal, and plain lines elsewhere.")
    }
}
