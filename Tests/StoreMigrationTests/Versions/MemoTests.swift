@testable import StoreMigration
import Testing

@Suite struct MemoTests {
    @Test(arguments: [0, 1, 2, 3, 7]) func valuesAreThoseOfTheirKeysHoweverFewAreKept(capacity: Int) {
        var memo = Memo<Int, Int>(capacity: capacity)
        var made = 0
        for number in [1, 2, 3, 1, 2, 3, 4, 4, 5, 6, 7, 8, 1, 1, 2] {
            let value = memo.value(of: number) {
                made += 1
                return number * number
            }
            #expect(value == number * number)
            #expect(memo.count <= capacity)
        }
        #expect(made == [0: 15, 1: 13, 2: 13, 3: 10, 7: 10][capacity])
    }

    @Test func whatCannotBeMadeIsNotKept() throws {
        struct Failure: Error {}
        var memo = Memo<Int, Int>(capacity: 2)
        #expect(throws: Failure.self) { try memo.value(of: 1) { throw Failure() } }
        let value = memo.value(of: 1) { 5 }
        #expect(value == 5)
    }
}
