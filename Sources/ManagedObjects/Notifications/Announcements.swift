/// The listeners of a context.
final class Announcements {
    private var listeners: [AsyncStream<ContextNotification>.Continuation] = []

    func stream() -> AsyncStream<ContextNotification> {
        let (stream, continuation) = AsyncStream<ContextNotification>.makeStream()
        listeners.append(continuation)
        return stream
    }

    var isHeard: Bool { !listeners.isEmpty }

    func post(_ notification: ContextNotification) {
        listeners.removeAll { listener in
            if case .terminated = listener.yield(notification) { true } else { false }
        }
    }

    func finish() { listeners.forEach { $0.finish() } }
}
