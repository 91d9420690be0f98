// qt_shortcuts DEPTH SHORTCUTS ROUNDS: nanoseconds of processor time for one key that goes down, meets a shortcut in Qt 6
// and comes up, and for the down alone; each in its fastest round.
//
// The shortcuts are dealt out to DEPTH widgets, one inside the other; the innermost has the focus. Presses come in where
// a platform plugin hands them over, are looked up in the shortcut map, and activate a QShortcut. There is no display:
// the platform is `offscreen`.
#include <QtWidgets>

#include <ctime>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Qt's own tests enter key events here. QtGui exports it without declaring it in a header.
Q_GUI_EXPORT void qt_handleKeyEvent(
    QWindow *window, QEvent::Type type, int key, Qt::KeyboardModifiers modifiers, const QString &text, bool isRepeat,
    ushort count);

namespace {

struct Chord {
    int key;
    Qt::KeyboardModifiers modifiers;
};

// Sixteen sets of modifiers, then the next letter; ideographs where letters end.
Chord chord(int number) {
    static const Qt::KeyboardModifier bits[] = {Qt::ShiftModifier, Qt::ControlModifier, Qt::AltModifier, Qt::MetaModifier};
    Chord chord = {number / 16 < 26 ? Qt::Key_A + number / 16 : 0x4E00 + number / 16, {}};
    for (int bit = 0; bit < 4; bit++)
        if (number >> bit & 1) chord.modifiers |= bits[bit];
    return chord;
}

long long processorTime() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int fail(const char *what) {
    std::fprintf(stderr, "qt_shortcuts: %s\n", what);
    return 70;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: qt_shortcuts DEPTH SHORTCUTS ROUNDS\n");
        return 64;
    }
    const int depth = std::atoi(argv[1]), shortcuts = std::atoi(argv[2]), rounds = std::atoi(argv[3]);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);

    std::vector<QWidget *> chain;
    QWidget *window = new QWidget;
    chain.push_back(window);
    for (int i = 1; i < depth; i++) chain.push_back(new QWidget(chain.back()));
    QWidget *innermost = chain.back();
    innermost->setFocusPolicy(Qt::StrongFocus);
    long activated = 0;
    for (int i = 0; i < shortcuts; i++) {
        const Chord bound = chord(i);
        auto *shortcut = new QShortcut(
            QKeySequence(QKeyCombination(bound.modifiers, Qt::Key(bound.key))), chain[size_t(i % depth)], nullptr, nullptr,
            Qt::WidgetWithChildrenShortcut);
        QObject::connect(shortcut, &QShortcut::activated, [&activated] { activated++; });
    }
    window->show();
    for (int i = 0; i < 200 && !innermost->hasFocus(); i++) {
        window->activateWindow();
        innermost->setFocus();
        application.processEvents();
        QThread::msleep(5);
    }
    if (!innermost->hasFocus()) return fail("the innermost widget does not get the focus");

    const int presses = 2000;
    // Of downs alone, and of downs and ups.
    long long best[2] = {0, 0};
    unsigned random = 7;
    for (int round = 0; round <= rounds; round++) {
        for (int comesUp = 0; comesUp < 2; comesUp++) {
            const long before = activated;
            const long long begin = processorTime();
            for (int i = 0; i < presses; i++) {
                random = random * 1664525u + 1013904223u;
                const Chord pressed = chord(int((random >> 8) % unsigned(shortcuts)));
                QWindow *const target = window->windowHandle();
                qt_handleKeyEvent(target, QEvent::KeyPress, pressed.key, pressed.modifiers, QString(), false, 1);
                if (comesUp)
                    qt_handleKeyEvent(target, QEvent::KeyRelease, pressed.key, pressed.modifiers, QString(), false, 1);
            }
            const long long took = processorTime() - begin;
            if (activated - before != presses) return fail("a press did not activate its shortcut");
            // The first round warms up.
            if (round > 0 && (best[comesUp] == 0 || took < best[comesUp])) best[comesUp] = took;
        }
    }
    std::printf("presses %d ns %.1f down_ns %.1f\n", presses, double(best[1]) / presses, double(best[0]) / presses);
    std::fflush(stdout);
    std::_Exit(0);
}
