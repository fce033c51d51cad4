import Dispatch
import Testing

@testable import RecordSources
@testable import StoreImport

/// Two threads: one reads, one writes. Whatever ends one of them ends the other.
@Suite struct RecordPipelineTests {
    /// A source of empty batches, which may fail or never answer.
    private struct Endless: RecordSource {
        let name = "endless"
        let columns = [SourceColumn(name: "a")]
        let wrapping = RecordWrapping(prefix: [], terminator: [0x0A], fileExtension: "csv")
        /// How many batches come before `end`.
        let count: Int
        let end: () throws -> Bool
        private var made = 0

        init(_ count: Int, end: @escaping () throws -> Bool) {
            self.count = count
            self.end = end
        }

        mutating func next(into batch: inout RecordBatch) throws -> Bool {
            if made == count { return try end() }
            made += 1
            batch.removeAll()
            batch.end = RecordPosition(byteOffset: made, line: made, record: made)
            return true
        }
    }

    private struct Broken: Error {}

    private func pipeline(_ count: Int, end: @escaping () throws -> Bool) throws -> RecordPipeline {
        let source = try CompiledSource(name: "endless", filter: nil, objects: [])
        return try RecordPipeline(
            SourceRecords(Endless(count, end: end), for: source), for: source, limits: RecordBatch.Limits())
    }

    @Test func allBatchesComeInOrderAndThenTheEnd() throws {
        let pipeline = try pipeline(50) { false }
        defer { pipeline.stop() }
        var found: [Int] = []
        while let work = try pipeline.next(isCancelled: nil) {
            found.append(work.batch.end.record)
            pipeline.recycle(work)
        }
        #expect(found == Array(1...50))
    }

    @Test func whatTheSourceThrowsComesBehindTheBatchesBeforeIt() throws {
        let pipeline = try pipeline(5) { throw Broken() }
        defer { pipeline.stop() }
        var count = 0
        #expect(throws: Broken.self) {
            while let work = try pipeline.next(isCancelled: nil) {
                count += 1
                pipeline.recycle(work)
            }
        }
        #expect(count == 5)
    }

    @Test func aSourceThatDoesNotAnswerCanBeCancelled() throws {
        let answer = DispatchSemaphore(value: 0)
        let pipeline = try pipeline(1) {
            answer.wait()
            return false
        }
        #expect(try pipeline.next(isCancelled: { false }) != nil)
        #expect(throws: ImportError.self) { try pipeline.next(isCancelled: { true }) }
        pipeline.stop()
        answer.signal()
    }

    @Test func aWriterThatFailsStopsTheReaderWhichIsNoMoreThanAFewBatchesAhead() throws {
        let ended = DispatchSemaphore(value: 0)
        let pipeline = try pipeline(3) {
            ended.signal()
            return false
        }
        // None is given back: the reader has filled all that there are, and does not come to the end.
        #expect(try pipeline.next(isCancelled: nil) != nil)
        pipeline.stop()
        #expect(ended.wait(timeout: .now() + .milliseconds(1)) == .timedOut)
    }
}
