/// Why a setting of a SQLite store is refused.
public struct StorePragmaError: Error, Sendable, Equatable {
    /// What is wrong with the setting.
    public enum Code: Sendable, Equatable {
        /// There is no setting of this name, or it is not offered.
        case unknown(String)
        /// The setting cannot have the value.
        case badValue(StorePragma, String)
        /// Only a file that is written from scratch can get the setting.
        case onlyNew(StorePragma)
        /// The value would weaken the protection against power failures.
        case weaker(StorePragma, String)
    }

    /// What is wrong with the setting.
    public let code: Code

    /// Makes an error.
    public init(_ code: Code) {
        self.code = code
    }
}

extension StorePragmaError: CustomStringConvertible {
    public var description: String {
        switch code {
        case .unknown(let name):
            "\(name) is not a pragma for a store; \(StorePragma.allCases.map(\.rawValue).joined(separator: ", ")) are"
        case .badValue(let pragma, let value):
            "the pragma \(pragma.rawValue) cannot be \(value.prefix(40).debugDescription); it may be "
                + pragma.values.joined(separator: ", ")
        case .onlyNew(let pragma):
            "the pragma \(pragma.rawValue) is for stores that are written as a whole, and this one is changed in "
                + "place; make a new one with it: "
                + "ferry convert STORE --output NEW --keep-ids --pragma \(pragma.rawValue)=..."
        case .weaker(let pragma, let value):
            "the pragma \(pragma.rawValue) cannot be \(value) for a store that is changed in place: a power failure "
                + "could damage it; leave it out, or use full or extra"
        }
    }
}
