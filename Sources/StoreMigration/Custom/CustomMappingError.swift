import MappingModels

/// Why a part of a mapping model cannot be run; the planner makes a finding of it.
struct CustomMappingError: Error {
    let code: String
    let cocoaCode: Int
    let place: MappingModelPlace
    let sentence: String

    init(_ code: String, cocoaCode: Int = 134110, at place: MappingModelPlace, _ sentence: String) {
        self.code = code
        self.cocoaCode = cocoaCode
        self.place = place
        self.sentence = sentence
    }

    var finding: MigrationFinding {
        let subject = [place.entityMapping, place.property].compactMap(\.self).joined(separator: ".")
        return MigrationFinding(
            .error, code, cocoaCode: cocoaCode, subject: subject.isEmpty ? nil : subject, message: sentence)
    }
}
