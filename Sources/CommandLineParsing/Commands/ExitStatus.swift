/// How a run ended, as the shell sees it.
public enum ExitStatus: Int32, Sendable, Hashable, CaseIterable {
    case done = 0
    case findings = 1
    case failed = 2
    case temporary = 3
    /// EX_USAGE of sysexits.h.
    case usage = 64

    /// What the help says about it.
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
