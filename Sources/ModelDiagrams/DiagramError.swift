/// A diagram that is too large to be drawn.
public struct DiagramError: Error, Sendable, Hashable {
    /// The largest known models have some 100 entities; ten times as many still take seconds only.
    public static let maximumBoxes = 1_000
    /// More lines between boxes than these cannot be laid out in a way that can be read.
    public static let maximumLines = 4_000

    /// How many boxes (entities) the diagram would have.
    public let boxes: Int
    /// How many lines (relationships, inheritance) the diagram would have.
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
