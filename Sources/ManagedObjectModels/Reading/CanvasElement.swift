/// The place of an entity or a composite in Xcode's diagram, in points; kept as the text that the document has.
public struct CanvasElement: Sendable, Hashable {
    public var name: String
    public var positionX: String
    public var positionY: String
    public var width: String
    public var height: String

    public init(name: String, positionX: String, positionY: String, width: String, height: String) {
        self.name = name
        self.positionX = positionX
        self.positionY = positionY
        self.width = width
        self.height = height
    }
}
