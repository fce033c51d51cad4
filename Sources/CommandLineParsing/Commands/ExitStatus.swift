/// The exit status of a run.
public enum ExitStatus: Int32, Sendable, Hashable, CaseIterable {
    /// The work is done.
    case done = 0
    /// The work is done, with findings that need attention: rejected records, problems, differences.
    case findings = 1
    /// The work was refused or failed; nothing was changed.
    case failed = 2
    /// The work failed for a temporary reason, such as a lock; it can be tried again.
    case temporary = 3
    /// The command line is wrong: EX_USAGE of sysexits.h.
    case usage = 64

    /// The description in the help.
    public var meaning: String {
        switch self {
        case .done: "Done."
        case .findings: "Done, with findings: rejected records, problems found, differences."
        case .failed: "Refused or failed; nothing was changed."
        case .temporary: "Failed for a reason that may pass, such as a locked store or a full disk; try again."
        case .usage: "The command line is wrong."
        }
    }
}
