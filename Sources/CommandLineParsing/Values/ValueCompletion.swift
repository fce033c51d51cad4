/// What a shell offers when the value of an option, or an operand, is to be completed.
public enum ValueCompletion: Sendable, Hashable {
    case nothing
    case files
    case words([String])
}
