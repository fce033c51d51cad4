/// A case of an enumeration.
struct SwiftEnumCase: Sendable, Hashable {
    let name: String
    let hasPayload: Bool
    /// The literal after the equals sign.
    let rawValue: String?
    let isActive: SwiftCondition
}
