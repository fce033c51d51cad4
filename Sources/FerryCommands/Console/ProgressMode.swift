import CommandLineParsing
import Glibc

/// How progress is shown.
enum ProgressMode: String, CaseIterable, Sendable {
    /// A bar on a terminal, plain lines otherwise.
    case auto
    case bar, plain, json, none

    /// The mode for commands that write data to standard output: progress would mix with the data on a terminal.
    var besideData: ProgressMode { self == .auto && isatty(1) == 1 ? .none : self }
}

extension Flag where Options: OptionTable {
    /// Returns the option for the progress mode.
    static func progress(_ path: Path<ProgressMode>) -> Self {
        .choice(
            "progress", path, placeholder: "HOW",
            "How to show progress; auto is a bar on a terminal, and plain lines elsewhere.")
    }
}
