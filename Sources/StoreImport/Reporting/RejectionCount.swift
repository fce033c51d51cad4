/// The number of faults of one kind in all rejected records: one error of one property.
public struct RejectionCount: Sendable, Codable, Equatable {
    /// The name of the error, such as `numberTooLarge`.
    public let error: String
    /// Core Data's error code.
    public let code: Int
    /// The entity; nil if it was not known yet.
    public let entity: String?
    /// The property; nil if the fault is in the record as a whole.
    public let property: String?
    /// The error in the first of these records, as a sentence.
    public let message: String
    /// The number of faults.
    public internal(set) var count: Int64

    init(_ reason: RejectionReason) {
        error = reason.error
        code = reason.code
        entity = reason.entity
        property = reason.property
        message = reason.message
        count = 1
    }

    /// Returns whether a fault is of the same kind.
    func includes(_ reason: RejectionReason) -> Bool {
        code == reason.code && property == reason.property && entity == reason.entity && error == reason.error
    }
}
