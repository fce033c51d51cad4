import Synchronization

/// Cancels work at a question: the first ones are answered with no.
final class Patience: Sendable {
    private let questions: Mutex<Int>

    init(_ count: Int) { questions = Mutex(count) }

    var isOver: Bool {
        questions.withLock { left in
            left -= 1
            return left < 0
        }
    }
}
