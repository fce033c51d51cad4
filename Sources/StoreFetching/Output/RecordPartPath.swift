/// The path of related objects in a record: `items[*]`, or `segments[*].points.point[*]`.
public struct RecordPartPath: Sendable, Hashable {
    /// A key or element, with a single value or an array.
    public struct Step: Sendable, Hashable {
        /// The name of the key or element.
        public let name: String
        /// Whether its value is an array, or it is repeated for each object.
        public let isList: Bool

        /// Makes a step of a name.
        public init(_ name: String, isList: Bool) {
            self.name = name
            self.isList = isList
        }
    }

    /// The steps around all objects, which occur once.
    public let around: ArraySlice<Step>
    /// The list with a value for each object; nil for a single object.
    public let list: Step?
    /// The steps inside the list, the object itself last; empty if the object is a value of the list.
    public let inside: ArraySlice<Step>

    /// Makes a path from its steps; nil if there are no steps.
    public init?(_ steps: [Step]) {
        guard !steps.isEmpty else { return nil }
        let last = steps.lastIndex(where: \.isList)
        around = steps[..<(last ?? 0)]
        list = last.map { steps[$0] }
        inside = steps[(last.map { $0 + 1 } ?? 0)...]
    }

    /// The name of the outermost key or element.
    public var first: String { around.first?.name ?? list?.name ?? inside.first?.name ?? "" }
    /// The name of the objects' own key or element.
    public var name: String { inside.last?.name ?? list?.name ?? "" }
    /// Whether a record can have any number of the objects.
    public var isList: Bool { list != nil }
}
