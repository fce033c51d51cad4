import ImportMappings
public import ManagedObjectModels
import ObjectValidation
import RecordConversion
import RecordSources

/// The descriptions of rejected records in messages, reports and logs.
extension RejectionReason {
    /// Core Data's error code for the fault; if the record cannot be read, the code for importing an external record.
    public var code: Int {
        switch fault {
        case .unreadable: 134200
        case .unfit(let failure, _): failure.code
        case .rule(let rule): rule.code
        case .noValue, .nullDestination, .noDestination, .notCreatable, .dependent: 1570
        case .noObject, .noObjectYet, .noMatch, .unresolved, .skipped: 133000
        case .notUnique, .rivalRejected: 1551
        case .exists: 133021
        }
    }

    /// The name of the fault, such as `numberTooLarge`.
    public var error: String {
        switch fault {
        case .unreadable: return "unreadable"
        case .unresolved: return "unresolvedLink"
        case .skipped: return "skippedRecord"
        default: break
        }
        return switch code {
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

    /// The error, as a sentence without the value.
    public var message: String {
        isQuotedEmptyText
            ? sentence + "; an empty text in quotes is a text: with \"emptyAsNull: always\" in a mapping it is NULL"
            : sentence
    }

    private var sentence: String {
        switch fault {
        case .unreadable(let problem): problem.sentence
        case .unfit(let failure, let reason) where failure.reason == .notComputable: "\(failure.sentence): \(reason)"
        case .unfit(let failure, let reason) where failure.reason == .notArchivable: reason
        case .unfit(let failure, let expected): "\(failure.sentence); expected \(expected)"
        case .rule(let rule): rule.sentence
        case .noValue: "the attribute is required, and neither the mapping nor the model gives it a value"
        case .nullDestination: "the relationship is required, and the record has null"
        case .noDestination: "the relationship is required, and the record names no object"
        case .noObject(let entity): "no object of \(entity) has this key, neither in the store nor in the sources"
        case .noObjectYet(let entity):
            "the object's key needs a \(entity) that does not exist yet; import those first"
        case .notCreatable(let entity, let attribute):
            "no object of \(entity) has this key, and none can be created from it: \(attribute) needs a value"
        case .dependent(let entity):
            "the relationship is required, and the record of the \(entity ?? "other") that it leads to is rejected"
        case .notUnique(let reason): "another object has the same value, which must be unique (\(reason))"
        case .rivalRejected(let file, let record):
            "record \(record) of \(file), which had the value first, is rejected as well: where it is not imported again, this "
                + "one can be"
        case .exists: "an object with the record's key exists already"
        case .noMatch: "no object has the record's key"
        case .unresolved(let entity, let key, let isRepeatable):
            Self.absence(of: key, entity) + "; the record is imported without the link; "
                + (isRepeatable
                    ? "import the records of \(RejectFileName.unlinkedName) files again when the object exists"
                    : "relate it by hand when the object exists: the mapping would not find its object again")
        case .skipped(let key, let isRepeatable):
            "no object has the \(key), since a record that makes it, or may make it, is rejected; the record is skipped; "
                + (isRepeatable
                    ? "import the records of \(RejectFileName.unlinkedName) files again with the rejected ones"
                    : "what it says of the object is to be said by hand: the mapping would make its objects again")
        }
    }

    /// Returns a sentence that no object has a key.
    static func absence(of key: String, _ entity: String) -> String { "no object of \(entity) has the \(key)" }

    /// Returns the property, the sentence, the value and the code, with the localized name of the property after its
    /// name: `Book.isbn "ISBN": ...`. The value is shortened.
    public func text(in localization: LocalizationDictionary? = nil) -> String {
        var text = ""
        if let entity {
            let other =
                property.map { localization?.otherName(ofProperty: $0, of: entity) }
                ?? localization?.otherName(ofEntity: entity)
            text += entity + (property.map { ".\($0)" } ?? "") + (other.map { " \"\($0)\"" } ?? "") + ": "
        }
        text += message
        if let column, !value.isEmpty {
            let shown = String(decoding: value.prefix(Self.shownBytes), as: UTF8.self)
            text += " (\(column) is \(shown.debugDescription)\(value.count > Self.shownBytes ? "..." : ""))"
        }
        if case .unreadable = fault { return text }
        return text + " [\(code)]"
    }

    /// The number of bytes of a value that a line shows.
    private static let shownBytes = 60
}

extension RejectionReason: CustomStringConvertible {
    /// The property, the sentence, the value and the code.
    public var description: String { text() }
}
