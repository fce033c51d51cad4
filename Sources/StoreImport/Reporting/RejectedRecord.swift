import ManagedObjectModels
import RecordSources

/// A rejected record in a report, with the first of its faults.
public struct RejectedRecord: Sendable, Codable, Equatable {
    /// One of its faults.
    public struct Fault: Sendable, Codable, Equatable {
        /// The column or path that the value came from; nil if there is none.
        public let column: String?
        /// The entity that the record was for; nil if it was not known yet.
        public let entity: String?
        /// The property that the value was for; nil if the whole record is meant.
        public let property: String?
        /// Core Data's error number.
        public let code: Int
        /// The error in one word, such as `numberTooLarge`.
        public let error: String
        /// The value, cut and escaped; nil if there is none.
        public let value: String?
        /// What is wrong, as a sentence.
        public let message: String
        /// All of it as a line.
        public let text: String

        init(_ reason: RejectionReason, _ localization: LocalizationDictionary?) {
            column = reason.column
            entity = reason.entity
            property = reason.property
            code = reason.code
            error = reason.error
            value = reason.value.isEmpty ? nil : RejectedValue.shown(reason.value)
            message = reason.message
            text = reason.text(in: localization)
        }
    }

    /// The path of the file, `-` for standard input.
    public let file: String
    /// The line on which the record begins, or on which it cannot be read, counted from 1.
    public let line: Int
    /// The offset of the record in the file, in bytes; 0 for a database.
    public let byteOffset: Int
    /// How many faults the record has.
    public let faultCount: Int
    /// The first of them, in the order of the mapping's properties.
    public let faults: [Fault]

    /// - Parameter shownFaults: how many faults are kept.
    init(_ rejection: RecordRejection, shownFaults: Int, in localization: LocalizationDictionary?) {
        file = rejection.source
        line = rejection.line
        byteOffset = rejection.byteOffset
        faultCount = rejection.reasons.count
        faults = rejection.reasons.prefix(shownFaults).map { Fault($0, localization) }
    }
}
