/// Something about the data that a conversion cannot carry over as it is, or had to complete.
public struct ConversionFinding: Sendable, Hashable, Codable {
    /// The kinds of findings, by the codes that reports show.
    public enum Code: String, Sendable, Hashable, Codable {
        /// A reference leads to no object of the destination; it is left out.
        case danglingReference = "dangling-reference"
        /// Only one direction of a relationship was there; the other one is now too.
        case oneSidedRelationship = "one-sided-relationship"
        /// The two directions of a relationship contradict each other; what the to-one says holds.
        case conflictingInverse = "conflicting-inverse"
        /// A row's entity number does not belong to the table: it is not an object.
        case unknownEntityNumber = "unknown-entity-number"
        /// A decimal number has more digits than the column of a SQLite store keeps.
        case decimalRounded = "decimal-rounded"
        /// A SQLite store has no NaN; the value is nil.
        case notANumber = "not-a-number"
        /// Some bytes of a text are not valid; they became U+FFFD.
        case invalidText = "invalid-text"
        /// The file of an external value is not there; the value is nil.
        case missingExternalData = "missing-external-data"
        /// A file cannot be what the column says that it is, or it leads out of the store's folder; the value is nil.
        case unsafeExternalData = "unsafe-external-data"
        /// Persistent history stays behind: its keys would mean other objects.
        case historyDropped = "history-dropped"
        /// Tables that are not Core Data's are left out.
        case tablesDropped = "tables-dropped"
        /// Objects get new keys, so the URIs of the old store are not those of the new one.
        case keysChanged = "keys-changed"
        /// Objects that are not of the configuration stay behind.
        case outsideConfiguration = "outside-configuration"
        /// The folder of the new store could not be synchronized.
        case notDurable = "not-durable"
    }

    /// What was found.
    public let code: Code

    /// `Entity`, `Entity.property`, or a table.
    public let subject: String

    /// How many objects or references are concerned.
    public var count: Int64 = 0

    /// The keys of some of the objects.
    public var keys: [Int64] = []

    init(code: Code, subject: String) {
        self.code = code
        self.subject = subject
    }

    /// Whether data are not as they were: exit status 1.
    public var isWarning: Bool {
        switch code {
        case .keysChanged, .outsideConfiguration, .historyDropped: false
        default: true
        }
    }

    /// Whether values are not what they were, which a SQLite store cannot hold.
    public var isLossOfValues: Bool {
        switch code {
        case .decimalRounded, .notANumber, .invalidText: true
        default: false
        }
    }
}

extension ConversionFinding: CustomStringConvertible {
    public var description: String {
        let examples = keys.isEmpty ? "" : ", such as p" + keys.map(String.init).joined(separator: ", p")
        return "\(isWarning ? "warning" : "note"): \(code.rawValue): \(subject) (\(count)\(examples)): \(sentence)"
    }

    private var sentence: String {
        switch code {
        case .danglingReference: "references lead to no object; they are left out"
        case .oneSidedRelationship: "only one direction of these links was there; both are now"
        case .conflictingInverse: "the two directions of these links contradict each other; the to-one side holds"
        case .unknownEntityNumber: "rows have an entity number that does not belong to the table; they are not objects"
        case .decimalRounded: "a SQLite column keeps 15 to 17 digits of a decimal number; the rest is rounded"
        case .notANumber: "a SQLite store has no NaN; the value is nil"
        case .invalidText: "some bytes are not valid text; each became U+FFFD"
        case .missingExternalData: "the file of the value is missing; the value is nil"
        case .unsafeExternalData: "the value names no file of the store's own folder; the value is nil"
        case .historyDropped: "persistent history is left out; sync clients start over"
        case .tablesDropped: "the table is not in the model; it is left out"
        case .keysChanged:
            "objects have new keys: URIs that were kept elsewhere lead to other objects; --keep-ids keeps the keys"
        case .outsideConfiguration: "objects of this entity are not in the configuration; they are left out"
        case .notDurable:
            "the store is in its place, but its folder cannot be synchronized: a power failure may undo that"
        }
    }
}
