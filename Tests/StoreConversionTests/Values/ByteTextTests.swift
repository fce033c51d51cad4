import Foundation
import ManagedObjectModels
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreConversion

@Suite struct ByteTextTests {
    private func text(_ body: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        body(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func datesHaveTwentyPlacesAndComeBackToTheLastBit() {
        var random = RandomNumbers(seed: 1)
        for _ in 0..<20_000 {
            let exponent = Double.random(in: -12...40, using: &random)
            let seconds = (Bool.random(using: &random) ? 1 : -1) * pow(2, exponent)
            let text = text { ByteText.append(date: seconds, to: &$0) }
            #expect(text == String(format: "%.20f", seconds))
            #expect(Double(text)?.bitPattern == seconds.bitPattern)
        }
    }

    @Test(arguments: [0, -0.0, 138791236.67246100306510925293, 1e-30, -1e-10, .infinity, 1e300, 0x1p-1074])
    func oddDatesComeBack(_ seconds: Double) {
        let text = text { ByteText.append(date: seconds, to: &$0) }
        #expect(Double(text)?.bitPattern == seconds.bitPattern)
    }

    @Test(arguments: [(3, "3"), (0.1, "0.1"), (-2.5, "-2.5"), (1e300, "1e+300"), (-0.0, "-0.0")] as [(Double, String)])
    func doublesAreShort(_ number: Double, _ expected: String) {
        #expect(text { ByteText.append(number, isSingle: false, to: &$0) } == expected)
    }

    @Test(arguments: [Double(Float(19.6)), 0.1, 16_777_217, 3.4e38, 1e-50, .pi, -0.0, Double(Float(1e-40))])
    func floatsComeBackSingleOrNot(_ number: Double) {
        var object = StoredObject()
        object.begin(ValueForm.form(.float), key: 1)
        let bytes = Array(text { ByteText.append(number, isSingle: true, to: &$0) }.utf8)
        let isTaken = object.take(bytes.span, as: .float, at: 0)
        #expect(isTaken)
        #expect(object.values[0] == .real(number))
    }
}
