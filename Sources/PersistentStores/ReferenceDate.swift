import Glibc

/// Core Data's dates, in seconds since 2001-01-01T00:00:00Z.
public enum ReferenceDate {
    /// The number of seconds from 1970-01-01T00:00:00Z to 2001-01-01T00:00:00Z.
    public static let secondsSince1970: Double = 978_307_200

    /// The current time, in seconds since 2001-01-01T00:00:00Z.
    public static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) - secondsSince1970 + Double(time.tv_nsec) / 1e9
    }
}
