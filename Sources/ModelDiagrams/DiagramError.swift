/// A diagram that is too large to be drawn.
public struct DiagramError: Error, Sendable, Hashable {
    /// The maximum number of boxes. The largest known models have some 100 entities; ten times as many still take only
    /// seconds.
    public static let maximumBoxes = 1_000
    /// The maximum number of lines between boxes; with more, no layout is readable.
    public static let maximumLines = 4_000

    /// The number of boxes (entities) that the diagram would have.
    public let boxes: Int
    /// The number of lines (relationships, inheritance) that the diagram would have.
    public let lines: Int

    init(boxes: Int, lines: Int) {
        self.boxes = boxes
        self.lines = lines
    }
}

extension DiagramError: CustomStringConvertible {
    public var description: String {
        "the diagram has \(boxes) entities and \(lines) lines, and at most \(Self.maximumBoxes) and "
            + "\(Self.maximumLines) can be drawn; draw a change (--from), or write text for Graphviz (--format dot)"
    }
}
