import ManagedObjectModels
import RecordSources

/// A rejected record in a report, with its first faults.
public struct RejectedRecord: Sendable, Codable, Equatable {
    /// One of its faults.
    public struct Fault: Sendable, Codable, Equatable {
        /// The column or path of the value; nil if there is none.
        public let column: String?
        /// The entity; nil if it was not known yet.
        public let entity: String?
        /// The property; nil if the fault is in the record as a whole.
        public let property: String?
        /// Core Data's error code.
        public let code: Int
        /// The name of the error, such as `numberTooLarge`.
        public let error: String
        /// The value, shortened and escaped; nil if there is none.
        public let value: String?
        /// The error, as a sentence.
        public let message: String
        /// The complete line.
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

    /// The path of the file; `-` for standard input.
    public let file: String
    /// The line on which the record begins, or on which it cannot be read, counted from 1.
    public let line: Int
    /// The offset of the record in the file in bytes; 0 for a database.
    public let byteOffset: Int
    /// The number of faults in the record.
    public let faultCount: Int
    /// The first faults, in the order of the mapping's properties.
    public let faults: [Fault]

    /// - Parameter shownFaults: the number of faults that are kept.
    init(_ rejection: RecordRejection, shownFaults: Int, in localization: LocalizationDictionary?) {
        file = rejection.source
        line = rejection.line
        byteOffset = rejection.byteOffset
        faultCount = rejection.reasons.count
        faults = rejection.reasons.prefix(shownFaults).map { Fault($0, localization) }
    }
}
