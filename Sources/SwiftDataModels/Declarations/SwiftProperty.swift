/// A property as it is declared.
struct SwiftProperty: Sendable, Hashable {
    let name: String
    var type: String?
    /// The expression of the initial value; nil without one.
    let initialValue: String?
    /// The text between the braces of the accessors, of a static property only.
    let body: String?
    /// Whether it has storage: it has no accessors, or observers only.
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
