/// Why an import ended before its time; nothing was changed, or with `--commit batch` nothing after the last batch.
public enum ImportError: Error, Equatable, Sendable {
    case tooManyRejects(Int, maximum: Int)
    case cancelled
    case constraint(String)
}

extension ImportError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooManyRejects(let count, let maximum):
            "\(count) records were rejected, more than the \(maximum) that are allowed; mend them, or allow more"
        case .cancelled: "cancelled"
        case .constraint(let reason): "the store refuses a value: \(reason)"
        }
    }
}
