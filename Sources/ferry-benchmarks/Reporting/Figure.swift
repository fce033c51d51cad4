/// One result: a value, what it is compared with, and what it must not exceed.
struct Figure: Sendable {
    enum Unit: String, Sendable, Encodable {
        case seconds, bytes
    }

    enum Limit: Sendable {
        /// Of the ratio to the reference.
        case ratio(Double)
        /// Of the value, in its unit.
        case value(Double)
    }

    let name: String
    let unit: Unit
    var reference: Double?
    var referenceName: String?
    let value: Double
    var ratio: Double?
    var limit: Limit?

    /// Every run's value, in order.
    var runs: [Double] = []
    var referenceRuns: [Double] = []

    /// Whether the target is met; true if there is none.
    var isMet: Bool {
        switch limit {
        case .ratio(let limit)?: (ratio ?? .infinity) <= limit
        case .value(let limit)?: value <= limit
        case nil: true
        }
    }
}
