extension Int64 {
    /// Returns the order relative to a real (negative, 0 or positive) without rounding either number; nil for NaN.
    package func order(with real: Double) -> Int? {
        guard !real.isNaN else { return nil }
        guard real >= -0x1p63 else { return 1 }
        guard real < 0x1p63 else { return -1 }
        let whole = Int64(real)
        guard self == whole else { return self < whole ? -1 : 1 }
        let fraction = real - Double(whole)
        return fraction > 0 ? -1 : fraction < 0 ? 1 : 0
    }
}
