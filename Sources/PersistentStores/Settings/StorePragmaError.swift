/// Why a setting of a SQLite store is refused.
public struct StorePragmaError: Error, Sendable, Equatable {
    public enum Code: Sendable, Equatable {
        case unknown(String)
        case badValue(StorePragma, String)
        /// Only a file that is written as a whole can get it.
        case onlyNew(StorePragma)
        /// It would take back a promise.
        case weaker(StorePragma, String)
    }

    public let code: Code

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
