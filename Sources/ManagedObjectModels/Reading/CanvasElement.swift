/// The place of an entity or a composite in Xcode's diagram, in points; kept as the text that the document has.
public struct CanvasElement: Sendable, Hashable {
    /// The name of the entity or composite.
    public var name: String
    /// The distance of its left side from the diagram's origin.
    public var positionX: String
    /// The distance of its upper side from the diagram's origin.
    public var positionY: String
    /// How wide it is.
    public var width: String
    /// How high it is.
    public var height: String

    /// Makes the place of an entity or composite.
    public init(name: String, positionX: String, positionY: String, width: String, height: String) {
        self.name = name
        self.positionX = positionX
        self.positionY = positionY
        self.width = width
        self.height = height
    }
}
