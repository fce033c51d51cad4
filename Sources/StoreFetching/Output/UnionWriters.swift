/// The writers of one output, one of each store: they take turns.
package struct UnionWriters<Writer: RecordWriter> {
    /// Two writers change at once, which elements of an array cannot.
    private final class Holder {
        var writer: Writer

        init(_ writer: Writer) { self.writer = writer }
    }

    private let holders: [Holder]
    private var index = 0

    /// Takes writers, of which the first one begins; at least one.
    package init(_ writers: [Writer]) {
        holders = writers.map { Holder($0) }
    }

    /// The one whose turn it is: it has all that is not yet passed on.
    package var current: Writer {
        get { holders[index].writer }
        nonmutating _modify { yield &holders[index].writer }
    }

    /// Gives the turn to a writer.
    package mutating func goOn(at next: Int) {
        guard next != index else { return }
        holders[next].writer.goOn(after: &holders[index].writer)
        index = next
    }
}
