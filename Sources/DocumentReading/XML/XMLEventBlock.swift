/// The events of one piece of a document, and the bytes that they refer to.
///
/// It is passed between the parser, which fills it, and the reader, so that neither has to access the other for every
/// event.
struct XMLEventBlock {
    var events: [XMLEventRecord] = []
    var attributes: [XMLAttributeRecord] = []
    var bytes: [UInt8] = []

    /// The capacity in bytes above which arrays are released after a huge text.
    private static let keptCapacity = 1 << 20

    /// Returns the number of complete events: a text at the end may continue in the next piece.
    func completeCount(isFinished: Bool, hasFailed: Bool) -> Int {
        let isOpen = events.last?.event == .text && (!isFinished || hasFailed)
        return isOpen ? events.count - 1 : events.count
    }

    /// Removes all events except a text that may continue.
    mutating func removeCompleteEvents() {
        let kept = events.last
        events.removeAll(keepingCapacity: true)
        attributes.removeAll(keepingCapacity: true)
        guard var kept, kept.event == .text else {
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
            return
        }
        // A text over several pieces is moved only once: from then on it starts at 0.
        if kept.start > 0 {
            bytes.removeSubrange(..<kept.start)
            kept.start = 0
        }
        events.append(kept)
    }
}
