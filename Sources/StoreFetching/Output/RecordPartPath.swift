/// Where the related objects of a record lie in it: `items[*]`, or `segments[*].points.point[*]`.
public struct RecordPartPath: Sendable, Hashable {
    /// A key or element, with one value or with an array of them.
    public struct Step: Sendable, Hashable {
        /// The name of the key or element.
        public let name: String
        /// Whether it has an array, or is there once for each object.
        public let isList: Bool

        /// Makes a step of a name.
        public init(_ name: String, isList: Bool) {
            self.name = name
            self.isList = isList
        }
    }

    /// What is around all objects; there is one of each.
    public let around: ArraySlice<Step>
    /// The list that has a value for each object; nil for a single object.
    public let list: Step?
    /// What is around each object, the object itself last; empty if it is a value of the list.
    public let inside: ArraySlice<Step>

    /// Makes a path of its steps; nil without any step.
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
    /// Whether the record has any number of the objects.
    public var isList: Bool { list != nil }
}
