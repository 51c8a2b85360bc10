package zmtp

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
)

func xpub(t *testing.T) (*XPub, string) {
	t.Helper()
	ln := listen(t)
	x := NewXPub(ln, func(topic string) [][]byte { return [][]byte{Encode([]byte(topic), []byte("welcome"))} })
	t.Cleanup(func() { x.Close(0) })
	return x, address(ln)
}

func subscriber(t *testing.T, address string, topics ...string) zmq4.Socket {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	s := zmq4.NewSub(ctx)
	if err := s.Dial(address); err != nil {
		t.Fatal(err)
	}
	for _, topic := range topics {
		if err := s.SetOption(zmq4.OptionSubscribe, topic); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { s.Close(); cancel() })
	return s
}

func receive(t *testing.T, s zmq4.Socket) (topic, text string) {
	t.Helper()
	m, err := s.Recv()
	if err != nil || len(m.Frames) != 2 {
		t.Fatalf("received %q, %v", m.Frames, err)
	}
	return string(m.Frames[0]), string(m.Frames[1])
}

func publish(x *XPub, topic, text string, class Class) {
	x.Publish(topic, Encode([]byte(topic), []byte(text)), class, nil)
}

func TestWelcomeComesFirst(t *testing.T) {
	t.Parallel()
	x, address := xpub(t)
	done := make(chan struct{})
	go func() { // somebody publishes all the time
		defer close(done)
		for i := 0; t.Context().Err() == nil && i < 3000; i++ {
			publish(x, "noise", "n", Prompt)
			time.Sleep(100 * time.Microsecond)
		}
	}()
	for range 20 {
		s := subscriber(t, address, "")
		if topic, text := receive(t, s); topic != "" || text != "welcome" {
			t.Fatalf("first message %q %q", topic, text)
		}
		s.Close()
	}
	select {
	case <-x.Ready():
	default:
		t.Error("not ready after subscriptions")
	}
	<-done
}

func TestTopics(t *testing.T) {
	x, address := xpub(t)
	s := subscriber(t, address, "a")
	receive(t, s)
	publish(x, "b.1", "no", Prompt)
	publish(x, "a.1", "yes", Prompt)
	if topic, _ := receive(t, s); topic != "a.1" {
		t.Errorf("received %q", topic)
	}
}

func TestNotReadyBeforeASubscription(t *testing.T) {
	x, _ := xpub(t)
	publish(x, "a", "lost", Missable)
	select {
	case <-x.Ready():
		t.Error("ready without a subscriber")
	default:
	}
}

// One subscriber has stopped reading; the other must get everything, soon,
// and the memory held for the first stays bounded.
func TestStalledSubscriberStopsNobody(t *testing.T) {
	t.Parallel()
	x, address := xpub(t)
	stalled := raw(t, x.ln, zmq4.Sub)
	stalled.Write(Encode([]byte("\x01")))
	good := subscriber(t, address, "")
	receive(t, good)
	const n = 600
	text := string(make([]byte, 64<<10))
	go func() {
		for range n {
			publish(x, "stream", text, Missable)
		}
		publish(x, "status", "idle", Prompt)
	}()
	began := time.Now()
	got := 0
	for {
		topic, _ := receive(t, good)
		if topic == "status" {
			break
		}
		got++
	}
	if got != n {
		t.Errorf("the reading subscriber got %d of %d streams", got, n)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	for _, p := range x.subscribers() {
		p.mu.Lock()
		if p.bytes > slackLimit+1<<20 {
			t.Errorf("%d bytes wait for one subscriber", p.bytes)
		}
		p.mu.Unlock()
	}
}

// A subscriber that reads slowly loses nothing: the publisher waits.
func TestSlowSubscriberLosesNothing(t *testing.T) {
	t.Parallel()
	x, address := xpub(t)
	s := subscriber(t, address, "")
	receive(t, s)
	const n = 300
	pad := string(make([]byte, 100<<10))
	go func() {
		for i := range n {
			publish(x, "stream", fmt.Sprint(i)+pad, Missable)
		}
	}()
	for i := range n {
		if i%20 == 0 {
			time.Sleep(20 * time.Millisecond)
		}
		if _, text := receive(t, s); text != fmt.Sprint(i)+pad {
			t.Fatalf("message %d begins with %q", i, text[:5])
		}
	}
}

func TestWaitForSlowReadersCanBeStopped(t *testing.T) {
	x, _ := xpub(t)
	stalled := raw(t, x.ln, zmq4.Sub)
	stalled.Write(Encode([]byte("\x01")))
	<-x.Ready()
	stop := make(chan struct{})
	close(stop)
	wire := Encode([]byte("stream"), make([]byte, 1<<20))
	began := time.Now()
	for range 40 {
		x.Publish("stream", wire, Steady, stop)
	}
	if took := time.Since(began); took > patience/2 {
		t.Errorf("stopped waits took %v", took)
	}
}

func TestDealer(t *testing.T) {
	ln := listen(t)
	upper(t, ln)
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	d, err := DialDealer(ctx, "tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Send([]byte("a"), []byte("b")); err != nil {
		t.Fatal(err)
	}
	if got, err := d.Receive(); err != nil || len(got) != 2 || string(got[1]) != "B" {
		t.Errorf("received %q, %v", got, err)
	}
	if _, err := DialDealer(ctx, "udp", "x"); err == nil {
		t.Error("dialled over udp")
	}
}
