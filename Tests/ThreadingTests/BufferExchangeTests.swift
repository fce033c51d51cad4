import Dispatch
import Testing
import Threading

/// Two threads and what goes between them. Whatever ends one of them ends the other.
@Suite struct BufferExchangeTests {
    private typealias Exchange = BufferExchange<[Int], [Int]?>

    /// Fills buffers with numbers on another thread until there are no more, or none are wanted.
    private func begin(_ numbers: Range<Int>, buffers: Int, ended: DispatchSemaphore? = nil) -> Exchange {
        let exchange = Exchange([[Int]](repeating: [], count: buffers))
        DispatchQueue(label: "BufferExchangeTests").async {
            var next = numbers.lowerBound
            while var buffer = exchange.takeFree() {
                buffer.removeAll(keepingCapacity: true)
                while next < numbers.upperBound, buffer.count < 7 {
                    buffer.append(next)
                    next += 1
                }
                guard !buffer.isEmpty else {
                    exchange.put(nil)
                    break
                }
                exchange.put(consume buffer)
            }
            ended?.signal()
        }
        return exchange
    }

    @Test(arguments: 1...4)
    func allComesInOrderHoweverManyBuffersThereAre(buffers: Int) {
        let exchange = begin(0..<1000, buffers: buffers)
        var found: [Int] = []
        while let buffer = exchange.next() {
            found += buffer
            exchange.giveBack(buffer)
        }
        #expect(found == Array(0..<1000))
    }

    /// Where an array lies shows whether it is the same one or a copy.
    @Test(arguments: 1...4)
    func buffersGoRoundWithoutBeingCopied(buffers: Int) {
        let exchange = BufferExchange<[Int], [Int]?>((0..<buffers).map { Array(repeating: $0, count: 100) })
        DispatchQueue(label: "BufferExchangeTests").async {
            for round in 0..<1000 {
                guard var buffer = exchange.takeFree() else { return }
                buffer[round % 100] += 1
                exchange.put(consume buffer)
            }
            exchange.put(nil)
        }
        var places: Set<UInt> = []
        while var buffer = exchange.next() {
            buffer[0] -= 1
            places.insert(buffer.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) })
            exchange.giveBack(consume buffer)
        }
        #expect(places.count <= buffers)
    }

    @Test func noMoreIsFilledThanThereAreBuffers() {
        let ended = DispatchSemaphore(value: 0)
        let exchange = begin(0..<1000, buffers: 2, ended: ended)
        #expect(exchange.next() == Array(0..<7))
        #expect(exchange.next() == Array(7..<14))
        // Neither was given back.
        #expect(exchange.next(within: 1) == nil)
        exchange.stop()
        ended.wait()
    }

    @Test(arguments: 0...3)
    func aSideThatFillsEndsWhenTheOtherOneHasEnough(used: Int) {
        let ended = DispatchSemaphore(value: 0)
        let exchange = begin(0..<1000, buffers: 3, ended: ended)
        for _ in 0..<used {
            if let buffer = exchange.next() { exchange.giveBack(buffer) }
        }
        #expect(!exchange.isStopped)
        exchange.stop()
        ended.wait()
        #expect(exchange.isStopped)
    }

    @Test func whatIsInAllBuffersCanBeWaitedFor() {
        let exchange = Exchange([[], [], []])
        let used = DispatchSemaphore(value: 0)
        DispatchQueue(label: "BufferExchangeTests").async {
            for number in 0..<3 where exchange.takeFree() != nil { exchange.put([number]) }
            exchange.waitForAll()
            exchange.put(nil)
            used.signal()
        }
        for number in 0..<3 {
            guard let buffer = exchange.next() else {
                Issue.record("the end came before a buffer")
                break
            }
            #expect(buffer == [number])
            // The last one is still out.
            if number == 2 { #expect(exchange.next(within: 1) == nil) }
            exchange.giveBack(buffer)
        }
        #expect(exchange.next() == nil)
        used.wait()
    }
}
