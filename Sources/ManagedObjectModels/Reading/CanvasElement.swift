/// The position and size of an entity or a composite in Xcode's diagram, in points, as text of the document.
public struct CanvasElement: Sendable, Hashable {
    /// The name of the entity or composite.
    public var name: String
    /// The horizontal distance of its left side from the diagram's origin.
    public var positionX: String
    /// The vertical distance of its upper side from the diagram's origin.
    public var positionY: String
    /// The width.
    public var width: String
    /// The height.
    public var height: String

    /// Makes the position and size of an entity or composite.
    public init(name: String, positionX: String, positionY: String, width: String, height: String) {
        self.name = name
        self.positionX = positionX
        self.positionY = positionY
        self.width = width
        self.height = height
    }
}
