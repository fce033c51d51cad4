import Testing

@testable import MappingModels

@Suite struct NamePairingTests {
    private func pair(_ destination: [(String, String?)], _ source: [(String, String?)]) -> [Int?] {
        NamePairing(
            destination.map { .init(name: $0.0, renamingIdentifier: $0.1) },
            with: source.map { .init(name: $0.0, renamingIdentifier: $0.1) }
        ).sources
    }

    @Test func equalNamesPairWithoutIdentifiers() {
        #expect(pair([("a", nil), ("c", nil)], [("b", nil), ("a", nil)]) == [1, nil])
    }

    @Test func anIdentifierFindsTheFormerName() {
        #expect(pair([("new", "old")], [("other", nil), ("old", nil)]) == [1])
    }

    @Test func aSharedIdentifierGoesBeforeTheName() {
        #expect(pair([("a", "x")], [("a", nil), ("b", "x")]) == [1])
    }

    @Test func theSurestPairIsTakenBeforeAnEarlierDestinationTakesItsSource() {
        // "b" of the destination is "b" of the source for certain, so that "a" can't have it.
        #expect(pair([("a", "b"), ("b", nil)], [("b", nil)]) == [nil, 0])
    }

    @Test func swappedNamesCross() {
        #expect(pair([("a", "b"), ("b", "a")], [("a", nil), ("b", nil)]) == [1, 0])
    }

    @Test func theIdentifierNamesASourceThatHasAnIdentifierOfItsOwn() {
        #expect(pair([("c", "b")], [("b", "a")]) == [0])
    }

    @Test func theNameIsTheLastResort() {
        #expect(pair([("a", "unknown")], [("a", nil)]) == [0])
    }

    @Test func anEmptyIdentifierIsNone() {
        #expect(pair([("a", "")], [("b", ""), ("a", nil)]) == [1])
    }

    @Test func ofSeveralWithOneIdentifierEachIsTakenOnce() {
        #expect(pair([("p", "x"), ("q", "x"), ("r", "x")], [("s", "x"), ("t", "x")]) == [0, 1, nil])
    }

    @Test func pairsAreKnownFromBothSides() {
        let pairing = NamePairing(
            [.init(name: "b", renamingIdentifier: "a")],
            with: [.init(name: "z", renamingIdentifier: nil), .init(name: "a", renamingIdentifier: nil)])
        #expect(pairing.destinations == [nil, 0])
    }

    @Test func manyNamesWithOneIdentifierTakeLinearTime() {
        // 20 000 squared would be felt.
        let names = (0..<20_000).map { ("n\($0)", "shared") }
        let others = (0..<20_000).map { ("m\($0)", "shared") }
        #expect(pair(names, others) == Array(0..<20_000))
    }
}
