import GeneratedStores
import ManagedObjectModels
import SQLiteAccess
import TestSupport
import Testing
import Threading

@testable import StoreConversion

/// What goes through a queue comes out as a reader gives it, whatever the sizes of its batches are.
@Suite struct ObjectQueueTests {
    private struct Failure: Error {}

    /// Gives objects of which each is derived from its number, with findings before some, and an end or a failure.
    private final class NumberReader: ObjectReader {
        private let form: EntityForm
        private let sizes: [Int]
        private let findings: ConversionFindings
        private let isFailing: Bool
        private let used: Used
        private var next = 0

        init(_ form: EntityForm, _ sizes: [Int], _ findings: ConversionFindings, isFailing: Bool, _ used: Used) {
            (self.form, self.sizes, self.findings) = (form, sizes, findings)
            (self.isFailing, self.used) = (isFailing, used)
        }

        deinit { used.isReaderThere = false }

        func next(_ object: inout StoredObject) throws -> Bool {
            if next.isMultiple(of: 3) { findings.add(.notANumber, "\(next)", key: Int64(next + 1)) }
            if next > 0, sizes[next - 1] >= used.large { used.check(after: next) }
            guard next < sizes.count else {
                if isFailing { throw Failure() }
                return false
            }
            object.begin(form, key: Int64(next + 1))
            let (number, size) = (UInt8(truncatingIfNeeded: next), sizes[next])
            object.setText(at: 0) { $0 += repeatElement(number, count: size) }
            object.appendRelationship((0..<Int64(next % 5)).map { $0 + 1 })
            next += 1
            return true
        }
    }

    /// What the caller's side has used, which the reader's side asks for.
    private final class Used: @unchecked Sendable {
        let large: Int
        var isReaderThere = true
        private let exchange = BufferExchange<Int, Int>([0])
        private var given = 0
        private(set) var isEarly = false

        init(large: Int) {
            self.large = large
        }

        /// The objects that were asked for and are done with.
        func note(_ count: Int) { exchange.put(count) }

        /// The reader goes on behind a large object.
        func check(after count: Int) {
            while given < count {
                guard let more = exchange.next(within: 0) else { break }
                given = more
            }
            if given < count { isEarly = true }
        }
    }

    private static func form() throws -> EntityForm {
        ObjectForms(try PeopleModel.resolved()).entities[0]
    }

    @Test(arguments: [false, true], RandomNumbers.seeds(40))
    func objectsAndFindingsAndErrorsComeInTheOrderOfTheReader(isThreaded: Bool, seed: Int) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let form = try Self.form()
        var limits = ObjectQueue.Limits()
        (limits.batches, limits.objects) = (random.limit(), random.limit())
        limits.bytes = Bool.random(using: &random) ? random.limit() * 10 : limits.bytes
        (limits.largeObject, limits.keptBytes) = (150, random.limit())
        let sizes = (0..<200).map { _ in Int.random(in: 0...(Bool.random(using: &random) ? 10 : 200), using: &random) }
        let isFailing = Bool.random(using: &random)
        let (found, findings) = (ConversionFindings(), ConversionFindings())
        let used = Used(large: isThreaded ? 150 : .max)
        let queue = ObjectQueue(
            NumberReader(form, sizes, found, isFailing: isFailing, used), finding: found, to: findings,
            limits: limits)
        try WorkerThread.$isRefused.withValue(!isThreaded) {
            var object = StoredObject()
            for (place, size) in sizes.enumerated() {
                used.note(place)
                try #require(try queue.next(&object))
                #expect(object.key == Int64(place + 1))
                let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: place), count: size)
                #expect(object.value(at: 0) == .text(bytes))
                #expect(object.links(at: 0).elementsEqual((0..<Int64(place % 5)).map { $0 + 1 }))
                let expected = (0...place).filter { $0.isMultiple(of: 3) }.map(String.init)
                try #require(findings.all.map(\.subject) == expected, "\(limits)")
            }
            used.note(sizes.count)
            if isFailing {
                #expect(throws: Failure.self) { try queue.next(&object) }
            } else {
                #expect(try !queue.next(&object))
            }
            #expect(try !queue.next(&object))
        }
        #expect(!used.isEarly, "an object was read while a large one was in use")
        #expect(!used.isReaderThere, "the reader is there after its end")
        #expect(findings.all.allSatisfy { $0.count == 1 && $0.keys.count == 1 })
    }

    @Test(arguments: RandomNumbers.seeds(40))
    func theReaderIsGoneWhenAQueueIsStopped(seed: Int) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let (found, findings) = (ConversionFindings(), ConversionFindings())
        var limits = ObjectQueue.Limits()
        (limits.batches, limits.objects, limits.largeObject) = (random.limit(), random.limit(), random.limit())
        let used = Used(large: .max)
        let queue = ObjectQueue(
            NumberReader(try Self.form(), [Int](repeating: 10, count: 1000), found, isFailing: true, used),
            finding: found, to: findings, limits: limits)
        var object = StoredObject()
        for _ in 0..<Int.random(in: 0...100, using: &random) { try #require(try queue.next(&object)) }
        queue.stop()
        #expect(!used.isReaderThere)
        #expect(try !queue.next(&object))
        queue.stop()
    }
}
