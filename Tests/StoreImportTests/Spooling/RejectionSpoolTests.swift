import ObjectValidation
import Testing

@testable import RecordConversion
@testable import RecordSources
@testable import StoreImport

/// The reasons of rejected records in spools.
@Suite struct RejectionSpoolTests {
    static let faults: [RejectionFault] =
        [
            .unreadable(RecordProblem(.tooFewFields, offset: 3, line: 7, fieldCount: 2)),
            .unreadable(RecordProblem(tooLarge: 99, limit: 10, line: 4)),
            .unfit(ConversionFailure(.fileTooLarge, at: 300), expected: "an integer"), .noValue, .nullDestination,
            .noDestination, .noObject(entity: "Team"), .noObjectYet(entity: "Team"),
            .notCreatable(entity: "Team", lacking: "name"), .dependent(entity: "Team"), .dependent(entity: nil),
            .notUnique("UNIQUE"), .exists, .noMatch, .unresolved(entity: "Team", key: "code 7", isRepeatable: true),
            .rivalRejected(file: "people.csv", record: 7),
            .rule(.predicateFailed(format: "SELF > 1", warning: "too small")),
            .rule(.predicateFailed(format: "SELF > 1", warning: nil)), .rule(.tooFewRelated(count: -1, minimum: 2)),
            .rule(.tooManyRelated(count: .max, maximum: .min)),
        ]
        + [
            ValidationFault.missing, .numberTooLarge, .numberTooSmall, .dateTooLate, .dateTooSoon, .textTooLong,
            .textTooShort, .patternMismatch, .missingRelationship,
        ].map { .rule($0) }

    @Test(arguments: faults)
    func aReasonComesBackAsItWasAndAPartOfItIsAnError(fault: RejectionFault) throws {
        for isWhole in [true, false] {
            var reason = RejectionReason(
                fault, entity: isWhole ? "Item" : nil, property: isWhole ? "count" : nil, column: isWhole ? "é" : nil,
                value: isWhole ? [0, 255, 10] : [])
            reason.isQuotedEmptyText = isWhole
            reason.place = isWhole ? 1_000_003 : 0
            let bytes = reason.encoded
            var decoder = SpoolDecoder(bytes)
            #expect(try RejectionReason(decoding: &decoder) == reason)
            try decoder.finish()
            for count in bytes.indices {
                #expect(throws: SpoolDecoder.Fault.self) {
                    var decoder = SpoolDecoder(Array(bytes[..<count]))
                    _ = try RejectionReason(decoding: &decoder)
                }
            }
        }
    }

    @Test func aFaultThatIsNotKnownIsAnError() {
        var bytes = RejectionReason(.exists).encoded
        bytes[bytes.count - 1] = 0x7F
        #expect(throws: SpoolDecoder.Fault.self) {
            var decoder = SpoolDecoder(bytes)
            _ = try RejectionReason(decoding: &decoder)
        }
    }
}
