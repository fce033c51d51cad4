@testable import StoreMigration
import Testing

@Suite struct NameMemoTests {
    @Test func namesAreFoundInAnyOrderAndAgain() {
        let names = ["a", "b", "c"]
        var memo = NameMemo(names)
        for order in [["a", "b"], ["a", "b"], ["b", "a", "c"], ["c", "c"], ["a", "b"]] {
            for name in order { #expect(memo.position(of: name) == names.firstIndex(of: name)) }
            #expect(memo.position(of: "d") == nil)
        }
    }
}
