/// What a shell offers when the value of an option, or an operand, is to be completed.
public enum ValueCompletion: Sendable, Hashable {
    /// Nothing.
    case nothing
    /// Files and folders.
    case files
    /// These words only.
    case words([String])

    /// The words to choose from; none if they can't be listed.
    var choices: [String] {
        if case .words(let words) = self { words } else { [] }
    }
}
