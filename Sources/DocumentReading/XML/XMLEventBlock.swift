/// The events of one piece of a document, and the bytes that they refer to.
///
/// It goes to and fro between the parser, which fills it, and the reader, so that neither looks into the other for
/// every event.
struct XMLEventBlock {
    var events: [XMLEventRecord] = []
    var attributes: [XMLAttributeRecord] = []
    var bytes: [UInt8] = []

    /// Arrays that one huge text made larger than this many bytes are given back.
    private static let keptCapacity = 1 << 20

    /// The number of events that are complete: a text at the end may go on in the next piece.
    func completeCount(isFinished: Bool, hasFailed: Bool) -> Int {
        let isOpen = events.last?.event == .text && (!isFinished || hasFailed)
        return isOpen ? events.count - 1 : events.count
    }

    /// Forgets all events but a text that may go on.
    mutating func removeCompleteEvents() {
        let kept = events.last
        events.removeAll(keepingCapacity: true)
        attributes.removeAll(keepingCapacity: true)
        guard var kept, kept.event == .text else {
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
            return
        }
        // A text that fills piece after piece is moved once only: from then on it starts at 0.
        if kept.start > 0 {
            bytes.removeSubrange(..<kept.start)
            kept.start = 0
        }
        events.append(kept)
    }
}
