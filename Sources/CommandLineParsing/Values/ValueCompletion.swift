/// The completion that a shell offers for the value of an option, or for an operand.
public enum ValueCompletion: Sendable, Hashable {
    /// Nothing.
    case nothing
    /// Files and folders.
    case files
    /// These words only.
    case words([String])

    /// The words to choose from; empty if they cannot be listed.
    var choices: [String] {
        if case .words(let words) = self { words } else { [] }
    }
}
