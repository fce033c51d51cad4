public import ManagedObjectModels

/// Why a record was not imported.
public struct RecordRejection: Sendable, Equatable, Codable {
    /// The path of the source, `-` for standard input.
    public var source: String
    /// The line on which the record begins, counted from 1.
    public var line: Int
    /// The offset of the record in the source's own bytes; 0 for a database.
    public var byteOffset: Int
    /// The column or path that the value came from; nil if the record itself is meant.
    public var column: String?
    /// The entity that the record was for; nil if it was not known yet.
    public var entity: String?
    /// The property that the value was for; nil if the record itself is meant.
    public var property: String?
    /// Cocoa's error number, 0 if the record itself cannot be read.
    public var code: Int
    /// The value, as it is in the source.
    public var value: [UInt8]
    /// What is wrong, as a sentence.
    public var message: String

    /// Makes a rejection of facts.
    public init(
        source: String, line: Int, byteOffset: Int, column: String? = nil, entity: String? = nil,
        property: String? = nil, code: Int, value: [UInt8] = [], message: String
    ) {
        self.source = source
        self.line = line
        self.byteOffset = byteOffset
        self.column = column
        self.entity = entity
        self.property = property
        self.code = code
        self.value = value
        self.message = message
    }
}

extension RecordRejection: CustomStringConvertible {
    /// Where, what and why, with the value cut.
    public var description: String { text() }

    /// The same, with what the property is called in a language beside its name: `Book.isbn "ISBN"`.
    public func text(in localization: LocalizationDictionary? = nil) -> String {
        var text = "\(StandardInput.title(of: source)):\(line): "
        if let entity {
            let other =
                property.map { localization?.otherName(ofProperty: $0, of: entity) }
                ?? localization?.otherName(ofEntity: entity)
            text += entity + (property.map { ".\($0)" } ?? "") + (other.map { " \"\($0)\"" } ?? "") + ": "
        }
        text += message
        if let column, !value.isEmpty {
            let shown = String(decoding: value.prefix(60), as: UTF8.self)
            text += " (\(column) is \(shown.debugDescription)\(value.count > 60 ? "..." : ""))"
        }
        return code == 0 ? text : text + " [\(code)]"
    }
}

extension Rejection {
    init(_ rejection: RecordRejection) {
        self.init(
            column: rejection.column, entity: rejection.entity, property: rejection.property,
            code: rejection.code == 0 ? 134200 : rejection.code, error: Self.word(for: rejection.code),
            message: rejection.message, value: rejection.value.isEmpty ? nil : rejection.value)
    }

    /// Cocoa's errors in a word.
    private static func word(for code: Int) -> String {
        switch code {
        case 0: "unreadable"
        case 1551, 133021: "notUnique"
        case 1570: "missing"
        case 1610: "numberTooLarge"
        case 1620: "numberTooSmall"
        case 1630: "dateTooLate"
        case 1640: "dateTooSoon"
        case 1650: "invalidDate"
        case 1660: "textTooLong"
        case 1670: "textTooShort"
        case 1680: "patternMismatch"
        case 1690: "invalidURI"
        case 133000: "noSuchObject"
        default: "invalid"
        }
    }
}
