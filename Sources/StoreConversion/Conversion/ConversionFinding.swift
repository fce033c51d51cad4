/// Data that a conversion could not copy unchanged, or had to complete.
public struct ConversionFinding: Sendable, Hashable, Codable {
    /// The kinds of findings; their raw values appear in reports.
    public enum Code: String, Sendable, Hashable, Codable {
        /// A reference leads to an object that does not exist; it was left out.
        case danglingReference = "dangling-reference"
        /// A relationship had only one direction; the other direction was added.
        case oneSidedRelationship = "one-sided-relationship"
        /// The two directions of a relationship contradicted each other; the to-one direction was used.
        case conflictingInverse = "conflicting-inverse"
        /// A row has an entity number that does not belong to the table, so it is not an object.
        case unknownEntityNumber = "unknown-entity-number"
        /// A decimal number has more digits than the column of an SQLite store can represent.
        case decimalRounded = "decimal-rounded"
        /// A value is NaN, which SQLite stores cannot represent; it became nil.
        case notANumber = "not-a-number"
        /// Some bytes of a text were not valid; they became U+FFFD.
        case invalidText = "invalid-text"
        /// The file of an external value does not exist; the value became nil.
        case missingExternalData = "missing-external-data"
        /// The file of an external value does not match its column, or is outside of the store's folder; the value
        /// became nil.
        case unsafeExternalData = "unsafe-external-data"
        /// Persistent history was not copied, because its keys would refer to other objects.
        case historyDropped = "history-dropped"
        /// Tables that do not belong to Core Data were not copied.
        case tablesDropped = "tables-dropped"
        /// Objects have new keys, so their URIs differ from those in the old store.
        case keysChanged = "keys-changed"
        /// Objects that do not belong to the configuration were not copied.
        case outsideConfiguration = "outside-configuration"
        /// The folder of the new store could not be synchronized.
        case notDurable = "not-durable"
    }

    /// The kind of finding.
    public let code: Code

    /// The place: `Entity`, `Entity.property`, or a table.
    public let subject: String

    /// The number of objects or references.
    public var count: Int64 = 0

    /// The keys of some of the objects.
    public var keys: [Int64] = []

    init(code: Code, subject: String) {
        self.code = code
        self.subject = subject
    }

    /// Whether the data changed, which results in exit status 1.
    public var isWarning: Bool {
        switch code {
        case .keysChanged, .outsideConfiguration, .historyDropped: false
        default: true
        }
    }

    /// Whether values changed because SQLite stores cannot represent them.
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
