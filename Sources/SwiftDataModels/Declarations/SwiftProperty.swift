/// The declaration of a property.
struct SwiftProperty: Sendable, Hashable {
    let name: String
    var type: String?
    /// The expression of the initial value; nil if there is none.
    let initialValue: String?
    /// The text between the braces of the accessors, for static properties only.
    let body: String?
    /// Whether it is stored: it has no accessors, or only observers.
    let isStored: Bool
    let modifiers: Set<String>
    let attributes: [SwiftAttribute]
    let isActive: SwiftCondition
    let place: SwiftPlace

    var isStatic: Bool { modifiers.contains("static") || modifiers.contains("class") }

    func attribute(_ name: String) -> SwiftAttribute? {
        attributes.first { $0.name == name || $0.name == "SwiftData." + name }
    }
}
