import MappingModels

/// The reason why a part of a mapping model cannot be executed; the planner converts it to a finding.
struct MappedTransferError: Error {
    enum Code {
        case invalid, expressionNotSupported, filterNotSupported, typeMismatch, toManyBecameToOne
        /// Only the app's own code can determine it.
        case neededByPolicy
    }

    let code: Code
    let place: MappingModelPlace
    let sentence: String

    init(_ code: Code, at place: MappingModelPlace, _ sentence: String) {
        self.code = code
        self.place = place
        self.sentence = sentence
    }

    var finding: MigrationFinding {
        let names = [place.entityMapping, place.property].compactMap(\.self).joined(separator: ".")
        let subject = names.isEmpty ? nil : names
        return switch code {
        case .invalid:
            MigrationFinding(.error, "mapping-invalid", cocoaCode: 134110, subject: subject, message: sentence)
        case .expressionNotSupported:
            MigrationFinding(.error, "expression-not-supported", cocoaCode: 134110, subject: subject, message: sentence)
        case .neededByPolicy:
            MigrationFinding(.error, "expression-not-supported", cocoaCode: 134170, subject: subject, message: sentence)
        case .filterNotSupported:
            MigrationFinding(.error, "filter-not-supported", cocoaCode: 134110, subject: subject, message: sentence)
        case .typeMismatch:
            MigrationFinding(.error, "mapping-type-mismatch", cocoaCode: 1550, subject: subject, message: sentence)
        case .toManyBecameToOne:
            MigrationFinding(.error, "to-many-became-to-one", cocoaCode: 134110, subject: subject, message: sentence)
        }
    }
}
