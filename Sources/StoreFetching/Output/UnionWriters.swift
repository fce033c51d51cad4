/// The writers for one output, one per store, which take turns.
package struct UnionWriters<Writer: RecordWriter> {
    /// A class, because two writers change at once, which is not possible with array elements.
    private final class Holder {
        var writer: Writer

        init(_ writer: Writer) { self.writer = writer }
    }

    private let holders: [Holder]
    private var index = 0

    /// Makes a group of writers, of which the first one begins; at least one.
    package init(_ writers: [Writer]) {
        holders = writers.map { Holder($0) }
    }

    /// The current writer, which has all pending output.
    package var current: Writer {
        get { holders[index].writer }
        nonmutating _modify { yield &holders[index].writer }
    }

    /// Makes another writer the current one.
    package mutating func goOn(at next: Int) {
        guard next != index else { return }
        holders[next].writer.goOn(after: &holders[index].writer)
        index = next
    }
}
